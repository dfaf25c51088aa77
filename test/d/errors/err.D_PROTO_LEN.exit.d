/*
 * exit() needs a status.
 */
#pragma D option quiet

BEGIN
{
	exit();
}

/*
 * The command ends with the status that exit() gives.
 */
/* @@exit: 42 */
#pragma D option quiet

BEGIN
{
	exit(42);
}

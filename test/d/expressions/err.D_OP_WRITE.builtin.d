/*
 * A built-in variable can't be assigned to.
 */
#pragma D option quiet

BEGIN
{
	pid = 1;
}

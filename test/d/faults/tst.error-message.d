/*
 * An error is reported on standard error with its probe, its cause and its place.
 */
/* @@stderr: (ID 1: dtrace:::BEGIN): invalid address (0x0) in action #1 */
#pragma D option quiet

BEGIN
{
	*(char *)NULL;
}

ERROR
{
	exit(0);
}

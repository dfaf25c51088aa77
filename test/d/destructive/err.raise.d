/*
 * Asserts that raise() is refused without -w.
 */

#pragma D option quiet

BEGIN
{
	raise(0);
	exit(0);
}

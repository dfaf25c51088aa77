/*
 * Asserts that the argument of exit() is the exit status.
 *
 * @@exit: 3
 */
#pragma D option quiet

BEGIN
{
	exit(3);
}

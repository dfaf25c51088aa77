/*
 * Asserts that exit() works in any probe.
 *
 * @@exit: 7
 */
#pragma D option quiet

tick-10ms
{
	exit(7);
}

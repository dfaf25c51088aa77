/*
 * Asserts that an aggregation counts on from 0 after clear().
 *
 * @@opts: -xaggrate=10ms -xswitchrate=10ms
 */
#pragma D option quiet

BEGIN
{
	@a = count();
	@a = count();
	clear(@a);
}

tick-300ms
{
	@a = count();
	exit(0);
}

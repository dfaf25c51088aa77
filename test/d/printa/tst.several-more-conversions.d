/*
 * Asserts that further @ conversions print the last aggregation again.
 */
#pragma D option quiet

BEGIN
{
	@a = sum(1);
	@b = sum(2);
	printa("%@d %@d %@d\n", @a, @b);
	exit(0);
}

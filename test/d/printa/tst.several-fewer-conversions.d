/*
 * Asserts that a format may leave out aggregations.
 */
#pragma D option quiet

BEGIN
{
	@a = sum(1);
	@b = sum(2);
	printa("%@d\n", @a, @b);
	exit(0);
}

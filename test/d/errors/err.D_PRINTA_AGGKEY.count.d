/*
 * Aggregations printed together have the same number of keys.
 */
#pragma D option quiet

BEGIN
{
	@a[1] = count();
	@b[1, 2] = count();
	printa("%@d %@d\n", @a, @b);
}

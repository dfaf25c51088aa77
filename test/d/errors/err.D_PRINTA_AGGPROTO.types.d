/*
 * Aggregations printed together have the same types of keys.
 */
#pragma D option quiet

BEGIN
{
	@a[1] = count();
	@b["x"] = count();
	printa("%@d %@d\n", @a, @b);
}

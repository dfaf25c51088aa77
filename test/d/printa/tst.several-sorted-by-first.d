/*
 * Asserts that several aggregations are sorted by the first one.
 */
#pragma D option quiet

BEGIN
{
	@a["x"] = sum(2);
	@b["x"] = sum(10);
	@a["y"] = sum(1);
	@b["y"] = sum(20);
	printa("%s %@d %@d\n", @a, @b);
	exit(0);
}

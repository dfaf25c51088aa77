/*
 * Asserts that several aggregations are joined on their keys; @ conversions take them in order.
 */
#pragma D option quiet

BEGIN
{
	@a["x"] = sum(1);
	@b["x"] = sum(10);
	@a["y"] = sum(2);
	@b["y"] = sum(20);
	printa("%s %@d %@d\n", @a, @b);
	exit(0);
}

/*
 * Asserts that a key that one of several aggregations lacks shows as 0.
 */
#pragma D option quiet

BEGIN
{
	@a["x"] = sum(3);
	@b["y"] = sum(20);
	printa("%s %@d %@d\n", @a, @b);
	exit(0);
}

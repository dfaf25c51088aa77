/*
 * Asserts that aggregations of different functions are joined.
 */
#pragma D option quiet

BEGIN
{
	@c["k"] = count();
	@s["k"] = sum(12);
	@m["k"] = max(-3);
	printa("%s %@d %@d %@d\n", @c, @s, @m);
	exit(0);
}

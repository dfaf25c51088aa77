/*
 * Asserts that the value may come before the keys.
 */
#pragma D option quiet

BEGIN
{
	@a["k"] = sum(9);
	printa("%@d %s\n", @a);
	exit(0);
}

/*
 * Asserts that entries are printed by value, the least first.
 */
#pragma D option quiet

BEGIN
{
	@a["a"] = sum(3);
	@a["b"] = sum(1);
	@a["c"] = sum(2);
	printa("%s %@d\n", @a);
	exit(0);
}

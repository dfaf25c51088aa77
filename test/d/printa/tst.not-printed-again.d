/*
 * Asserts that an aggregation printed by printa() is not printed at the end; others are.
 */
#pragma D option quiet

BEGIN
{
	@a["p"] = count();
	@b["q"] = count();
	printa("%s\n", @a);
	exit(0);
}

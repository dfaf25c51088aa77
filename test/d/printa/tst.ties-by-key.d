/*
 * Asserts that entries of equal value are printed by key.
 */
#pragma D option quiet

BEGIN
{
	@a["z"] = sum(1);
	@a["m"] = sum(1);
	@a["b"] = sum(1);
	printa("%s %@d\n", @a);
	exit(0);
}

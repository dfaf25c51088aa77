/*
 * Asserts that %@d of a distribution prints the whole distribution.
 */
#pragma D option quiet

BEGIN
{
	@a["k"] = quantize(4);
	printa("%s%@d\n", @a);
	exit(0);
}

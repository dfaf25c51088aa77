/*
 * Asserts that an aggregation may be named twice.
 */
#pragma D option quiet

BEGIN
{
	@a = sum(4);
	printa("%@d %@x\n", @a, @a);
	exit(0);
}

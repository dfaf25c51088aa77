/*
 * Asserts that the value can be printed by several conversions, again and again.
 */
#pragma D option quiet

BEGIN
{
	@a = sum(255);
	printa("%@d %@u %@x %@X %@o\n", @a);
	exit(0);
}

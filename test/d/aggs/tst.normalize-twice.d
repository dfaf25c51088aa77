/*
 * Asserts that a second normalize() replaces the first.
 */
#pragma D option quiet

BEGIN
{
	@a = sum(100);
	normalize(@a, 10);
	normalize(@a, 4);
	printa("%@d\n", @a);
	exit(0);
}

/*
 * Asserts that the factor may be a variable.
 */
#pragma D option quiet

BEGIN
{
	n = 5;
	@a = sum(100);
	normalize(@a, n);
	printa("%@d\n", @a);
	exit(0);
}

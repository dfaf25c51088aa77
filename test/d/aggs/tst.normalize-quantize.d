/*
 * Asserts that normalize() divides the counts of a distribution and not its rows or bars.
 */
#pragma D option quiet

BEGIN
{
	@a = quantize(4, 30);
	@a = quantize(8, 10);
	normalize(@a, 10);
	exit(0);
}

/*
 * Asserts that the aggregated value may be an expression.
 */
#pragma D option quiet

BEGIN
{
	x = 6;
	@ = sum(x * 7);
	exit(0);
}

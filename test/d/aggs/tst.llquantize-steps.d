/*
 * Asserts that steps beyond the factor divide a magnitude finer.
 */
#pragma D option quiet

BEGIN
{
	@ = llquantize(47, 10, 1, 2, 20);
	exit(0);
}

/*
 * Asserts that values at or above the limit share one row.
 */
#pragma D option quiet

BEGIN
{
	@ = lquantize(10, 0, 10, 1);
	@ = lquantize(1000, 0, 10, 1);
	exit(0);
}

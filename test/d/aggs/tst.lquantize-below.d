/*
 * Asserts that values below the range share one row.
 */
#pragma D option quiet

BEGIN
{
	@ = lquantize(-1, 0, 10, 1);
	@ = lquantize(-100, 0, 10, 1);
	exit(0);
}

/*
 * Asserts that the fifth argument of lquantize() is the increment.
 */
#pragma D option quiet

BEGIN
{
	@ = lquantize(1, 0, 10, 1, 25);
	@ = lquantize(2, 0, 10, 1, 75);
	exit(0);
}

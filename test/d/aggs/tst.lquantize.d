/*
 * Asserts the distribution of lquantize(): rows of one step, an empty row at each end.
 */
#pragma D option quiet

BEGIN
{
	@ = lquantize(3, 0, 10, 1);
	@ = lquantize(4, 0, 10, 1);
	@ = lquantize(4, 0, 10, 1);
	exit(0);
}

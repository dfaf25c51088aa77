/*
 * The upper bound of lquantize() is a constant.
 */
#pragma D option quiet

BEGIN
{
	x = 10;
	@a = lquantize(5, 0, x, 1);
}

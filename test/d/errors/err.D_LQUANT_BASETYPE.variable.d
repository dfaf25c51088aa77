/*
 * The lower bound of lquantize() is a constant.
 */
#pragma D option quiet

BEGIN
{
	x = 0;
	@a = lquantize(5, x, 10, 1);
}

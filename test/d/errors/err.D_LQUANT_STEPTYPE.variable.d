/*
 * The step of lquantize() is a constant.
 */
#pragma D option quiet

BEGIN
{
	x = 1;
	@a = lquantize(5, 0, 10, x);
}

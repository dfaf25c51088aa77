/*
 * The factor of llquantize() is a constant.
 */
#pragma D option quiet

BEGIN
{
	x = 10;
	@a = llquantize(5, x, 0, 3, 10);
}

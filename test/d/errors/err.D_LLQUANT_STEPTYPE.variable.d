/*
 * The steps of llquantize() are a constant.
 */
#pragma D option quiet

BEGIN
{
	x = 10;
	@a = llquantize(5, 10, 0, 3, x);
}

/*
 * The high magnitude of llquantize() is a constant.
 */
#pragma D option quiet

BEGIN
{
	x = 3;
	@a = llquantize(5, 10, 0, x, 10);
}

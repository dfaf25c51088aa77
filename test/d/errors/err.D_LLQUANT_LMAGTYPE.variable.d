/*
 * The low magnitude of llquantize() is a constant.
 */
#pragma D option quiet

BEGIN
{
	x = 0;
	@a = llquantize(5, 10, x, 3, 10);
}

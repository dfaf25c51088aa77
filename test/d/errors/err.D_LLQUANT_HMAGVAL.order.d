/*
 * The high magnitude of llquantize() is not below the low one.
 */
#pragma D option quiet

BEGIN
{
	@a = llquantize(5, 10, 5, 3, 10);
}

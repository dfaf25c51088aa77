/*
 * The high magnitude of llquantize() fits 64 bits.
 */
#pragma D option quiet

BEGIN
{
	@a = llquantize(5, 10, 0, 30, 10);
}

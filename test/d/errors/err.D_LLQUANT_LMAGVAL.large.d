/*
 * The low magnitude of llquantize() has 16 bits.
 */
#pragma D option quiet

BEGIN
{
	@a = llquantize(5, 10, 100000, 100003, 10);
}

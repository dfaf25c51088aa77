/*
 * The upper bound of lquantize() has 32 bits.
 */
#pragma D option quiet

BEGIN
{
	@a = lquantize(5, 0, 0x100000000, 1);
}

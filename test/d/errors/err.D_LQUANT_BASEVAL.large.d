/*
 * The lower bound of lquantize() has 32 bits.
 */
#pragma D option quiet

BEGIN
{
	@a = lquantize(5, 0x100000000, 0x100000010, 1);
}

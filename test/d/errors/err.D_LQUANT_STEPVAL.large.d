/*
 * The step of lquantize() has 16 bits.
 */
#pragma D option quiet

BEGIN
{
	@a = lquantize(5, 0, 1000000, 65536);
}

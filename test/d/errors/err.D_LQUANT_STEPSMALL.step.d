/*
 * lquantize() has no more than 65535 levels.
 */
#pragma D option quiet

BEGIN
{
	@a = lquantize(5, 0, 1000000, 1);
}

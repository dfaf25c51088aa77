/*
 * Asserts the distribution of quantize(): powers of two, an empty row at each end.
 */
#pragma D option quiet

BEGIN
{
	@ = quantize(1);
	@ = quantize(2);
	@ = quantize(3);
	@ = quantize(10);
	exit(0);
}

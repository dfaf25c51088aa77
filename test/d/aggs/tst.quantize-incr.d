/*
 * Asserts that the second argument of quantize() is the increment.
 */
#pragma D option quiet

BEGIN
{
	@ = quantize(4, 10);
	@ = quantize(8, 30);
	exit(0);
}

/*
 * Asserts that negative values have rows of negative powers of two.
 */
#pragma D option quiet

BEGIN
{
	@ = quantize(-1);
	@ = quantize(-3);
	@ = quantize(5);
	exit(0);
}

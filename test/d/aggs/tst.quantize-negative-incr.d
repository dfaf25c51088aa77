/*
 * Asserts that negative counts are drawn to the left of a line in the middle.
 */
#pragma D option quiet

BEGIN
{
	@ = quantize(1, 5);
	@ = quantize(2, -5);
	exit(0);
}

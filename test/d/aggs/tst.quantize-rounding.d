/*
 * Asserts that bars are rounded to the nearest character of 40.
 */
#pragma D option quiet

BEGIN
{
	@ = quantize(1, 7);
	@ = quantize(2, 2);
	@ = quantize(4, 1);
	exit(0);
}

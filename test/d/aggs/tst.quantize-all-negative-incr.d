/*
 * Asserts that a distribution of negative counts only is drawn from the right.
 */
#pragma D option quiet

BEGIN
{
	@ = quantize(1, -3);
	@ = quantize(2, -1);
	exit(0);
}

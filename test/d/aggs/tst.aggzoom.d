/*
 * Asserts that aggzoom draws the longest bar over 95 % of the width.
 *
 * @@opts: -xaggzoom
 */
#pragma D option quiet

BEGIN
{
	@ = quantize(1, 10);
	@ = quantize(2, 5);
	@ = quantize(4, 1);
	exit(0);
}

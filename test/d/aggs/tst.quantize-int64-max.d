/*
 * Asserts that INT64_MAX is in the last row, which has none after it.
 */
#pragma D option quiet

BEGIN
{
	@ = quantize(0x7fffffffffffffff);
	exit(0);
}

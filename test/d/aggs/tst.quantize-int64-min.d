/*
 * Asserts that INT64_MIN is in the first row, which has none before it.
 */
#pragma D option quiet

BEGIN
{
	@ = quantize(0x8000000000000000);
	exit(0);
}

/*
 * Asserts that 0 has a row of its own.
 */
#pragma D option quiet

BEGIN
{
	@ = quantize(0);
	exit(0);
}

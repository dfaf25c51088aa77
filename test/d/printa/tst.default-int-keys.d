/*
 * Asserts that 32-bit keys have 8 columns and 64-bit keys 16.
 */
#pragma D option quiet

BEGIN
{
	@a[1, (int64_t)2] = sum(7);
	printa(@a);
	exit(0);
}

/*
 * Asserts that 8-bit keys have 3 columns and 16-bit keys 5.
 */
#pragma D option quiet

BEGIN
{
	@a[(uint8_t)200, (uint16_t)60000] = sum(7);
	printa(@a);
	exit(0);
}

/*
 * >> of an unsigned number brings in zeroes.
 */
#pragma D option quiet

BEGIN
{
	a = 0x80000000u;
	b = 0x8000000000000000ULL;
	printf("%u %u %u\n", 0x80000000u >> 31, a >> 31, b >> 63);
	exit(0);
}

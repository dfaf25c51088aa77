/*
 * The largest literals of 64 bits keep all their bits.
 */
#pragma D option quiet

BEGIN
{
	printf("%d\n", 9223372036854775807);
	printf("%u\n", 18446744073709551615ull);
	printf("%u\n", 0xffffffffffffffff);
	exit(0);
}

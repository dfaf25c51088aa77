/*
 * Division of unsigned 64-bit numbers uses all 64 bits.
 */
#pragma D option quiet

BEGIN
{
	a = 0xffffffffffffffffULL;
	printf("%u %u\n", a / 2, a % 10);
	exit(0);
}

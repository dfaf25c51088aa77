/*
 * A cast to a narrower unsigned type keeps the low bits.
 */
#pragma D option quiet

BEGIN
{
	printf("%u %u %u\n", (unsigned char)300, (uint16_t)-1, (uint32_t)-1);
	exit(0);
}

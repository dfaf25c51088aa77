/*
 * Casts of variables give what casts of constants give.
 */
#pragma D option quiet

BEGIN
{
	x = 0x1234567890abcdefL;
	printf("%x %x %x\n", (uint8_t)x, (uint16_t)x, (uint32_t)x);
	printf("%d %d %d\n", (int8_t)x, (int16_t)x, (int32_t)x);
	exit(0);
}

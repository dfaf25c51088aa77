/*
 * The compound assignments of bits on a global.
 */
#pragma D option quiet

BEGIN
{
	x = 0xf0;
	x &= 0x3c;
	printf("%x ", x);
	x |= 0x0f;
	printf("%x ", x);
	x ^= 0xff;
	printf("%x ", x);
	x <<= 4;
	printf("%x ", x);
	x >>= 2;
	printf("%x\n", x);
	exit(0);
}

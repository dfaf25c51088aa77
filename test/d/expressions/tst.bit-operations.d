/*
 * The bit operations on constants and on variables agree.
 */
#pragma D option quiet

BEGIN
{
	a = 0xf0f0;
	b = 0x0ff0;
	printf("%x %x %x\n", 0xf0f0 & 0x0ff0, 0xf0f0 | 0x0ff0, 0xf0f0 ^ 0x0ff0);
	printf("%x %x %x\n", a & b, a | b, a ^ b);
	exit(0);
}

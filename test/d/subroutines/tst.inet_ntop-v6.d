/*
 * inet_ntop() writes an IPv6 address with its longest run of zeroes left out.
 */
#pragma D option quiet

BEGIN
{
	p = (uint8_t *)alloca(16);
	p[0] = 0x20;
	p[1] = 0x01;
	p[2] = 0x0d;
	p[3] = 0xb8;
	p[15] = 0x01;
	printf("%s\n", inet_ntop(10, p));
	exit(0);
}

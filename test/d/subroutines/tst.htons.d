/*
 * htons() and ntohs() swap the bytes of 16 bits.
 */
#pragma D option quiet

BEGIN
{
	x = (uint16_t)0x1234;
	printf("%x %x %x\n", htons(x), ntohs(0x1234), ntohs(htons(x)));
	exit(0);
}

/*
 * htonll() and ntohll() swap the bytes of 64 bits.
 */
#pragma D option quiet

BEGIN
{
	x = 0x123456789abcdef0ULL;
	printf("%x %x %x\n", htonll(x), ntohll(0x123456789abcdef0), ntohll(htonll(x)));
	exit(0);
}

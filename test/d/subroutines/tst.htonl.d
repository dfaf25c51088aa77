/*
 * htonl() and ntohl() swap the bytes of 32 bits.
 */
#pragma D option quiet

BEGIN
{
	x = 0x12345678u;
	printf("%x %x %x\n", htonl(x), ntohl(0x12345678), ntohl(htonl(x)));
	exit(0);
}

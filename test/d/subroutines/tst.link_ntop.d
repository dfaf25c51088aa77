/*
 * link_ntop() writes an Ethernet address.
 */
#pragma D option quiet

BEGIN
{
	p = (uint8_t *)alloca(6);
	p[0] = 0xab;
	p[1] = 0x01;
	p[5] = 0xff;
	printf("%s\n", link_ntop(ARPHRD_ETHER, p));
	exit(0);
}

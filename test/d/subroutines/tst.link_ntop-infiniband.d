/*
 * link_ntop() writes an InfiniBand address, which has 20 bytes.
 */
#pragma D option quiet

BEGIN
{
	p = (uint8_t *)alloca(20);
	p[0] = 0xab;
	p[19] = 0xff;
	printf("%s\n", link_ntop(ARPHRD_INFINIBAND, p));
	exit(0);
}

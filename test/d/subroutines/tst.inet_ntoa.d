/*
 * inet_ntoa() writes an IPv4 address.
 */
#pragma D option quiet

BEGIN
{
	p = (uint32_t *)alloca(sizeof (uint32_t));
	*p = htonl(0x7f000001);
	printf("%s ", inet_ntoa(p));
	*p = 0xffffffff;
	printf("%s ", inet_ntoa(p));
	*p = 0;
	printf("%s\n", inet_ntoa(p));
	exit(0);
}

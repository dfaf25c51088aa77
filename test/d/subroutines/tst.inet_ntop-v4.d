/*
 * inet_ntop() writes an IPv4 address.
 */
#pragma D option quiet

BEGIN
{
	p = (uint32_t *)alloca(sizeof (uint32_t));
	*p = htonl(0xc0a80102);
	printf("%s\n", inet_ntop(2, p));
	exit(0);
}

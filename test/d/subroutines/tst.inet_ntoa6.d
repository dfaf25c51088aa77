/*
 * inet_ntoa6() writes an IPv6 address.
 */
#pragma D option quiet

BEGIN
{
	p = (uint8_t *)alloca(16);
	p[15] = 1;
	printf("%s ", inet_ntoa6((void *)p));
	p[15] = 0;
	printf("%s\n", inet_ntoa6((void *)p));
	exit(0);
}

/*
 * With a second argument that is not 0, inet_ntoa6() keeps the prefix of IPv4 addresses.
 */
#pragma D option quiet

BEGIN
{
	p = (uint8_t *)alloca(16);
	p[12] = 192;
	p[13] = 168;
	p[14] = 1;
	p[15] = 23;
	printf("%s ", inet_ntoa6((void *)p, 1));
	p[10] = 0xff;
	p[11] = 0xff;
	printf("%s\n", inet_ntoa6((void *)p, 1));
	exit(0);
}

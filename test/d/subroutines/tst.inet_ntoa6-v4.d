/*
 * inet_ntoa6() writes an IPv4-mapped and an IPv4-compatible address as IPv4 only.
 */
#pragma D option quiet

BEGIN
{
	p = (uint8_t *)alloca(16);
	p[12] = 192;
	p[13] = 168;
	p[14] = 1;
	p[15] = 23;
	printf("%s ", inet_ntoa6((void *)p));
	p[10] = 0xff;
	p[11] = 0xff;
	printf("%s\n", inet_ntoa6((void *)p, 0));
	exit(0);
}

/*
 * :: and ::1 are no IPv4 addresses to inet_ntoa6(), ::2 is.
 */
#pragma D option quiet

BEGIN
{
	p = (uint8_t *)alloca(16);
	printf("%s ", inet_ntoa6((void *)p));
	p[15] = 1;
	printf("%s ", inet_ntoa6((void *)p));
	p[15] = 2;
	printf("%s\n", inet_ntoa6((void *)p));
	exit(0);
}

/*
 * inet_ntoa6() takes a pointer to a struct in6_addr.
 */
#pragma D option quiet

struct in6_addr {
	uint8_t byte[16];
};

BEGIN
{
	this->a = (struct in6_addr *)alloca(sizeof (struct in6_addr));
	this->a->byte[0] = 0xfe;
	this->a->byte[15] = 7;
	printf("%s\n", inet_ntoa6(this->a));
	exit(0);
}

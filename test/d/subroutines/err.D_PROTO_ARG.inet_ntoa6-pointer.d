/*
 * inet_ntoa6() takes a pointer to an in6_addr, not to an int.
 */
int *p;

BEGIN
{
	p = (int *)alloca(16);
	trace(inet_ntoa6(p));
	exit(0);
}

/*
 * copyinstr() stops at its limit.
 */
#pragma D option quiet

BEGIN
{
	p = (char *)alloca(8);
	p[0] = 'a';
	p[1] = 'b';
	p[2] = 'c';
	printf("[%s] [%s]\n", copyinstr((uintptr_t)p), copyinstr((uintptr_t)p, 2));
	exit(0);
}

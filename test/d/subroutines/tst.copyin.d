/*
 * copyin() gives a copy of memory.
 */
#pragma D option quiet

BEGIN
{
	p = (char *)alloca(8);
	p[0] = 'a';
	q = (char *)copyin((uintptr_t)p, 8);
	p[0] = 'b';
	printf("%c %c\n", q[0], p[0]);
	exit(0);
}

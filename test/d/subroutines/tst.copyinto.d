/*
 * copyinto() copies memory to where one wants it.
 */
#pragma D option quiet

BEGIN
{
	p = (char *)alloca(8);
	q = (char *)alloca(8);
	p[0] = 'a';
	p[1] = 'b';
	copyinto((uintptr_t)p, 2, q);
	printf("%s\n", stringof(q));
	exit(0);
}

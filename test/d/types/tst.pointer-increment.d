/*
 * ++ and -- on a pointer move it by one element.
 */
#pragma D option quiet

BEGIN
{
	p = (int *)0x1000;
	p++;
	q = p;
	--q;
	--q;
	printf("%x %x\n", (uintptr_t)p, (uintptr_t)q);
	exit(0);
}

/*
 * alloca() gives memory that is 0 and can be stored to.
 */
#pragma D option quiet

BEGIN
{
	p = (long *)alloca(2 * sizeof (long));
	printf("%d %d ", p[0], p[1]);
	p[1] = 0x123456789;
	printf("%x\n", p[1]);
	exit(0);
}

/*
 * p[i] is *(p + i), with negative indices too.
 */
#pragma D option quiet

BEGIN
{
	p = (int *)alloca(5 * sizeof (int));
	p[0] = 10;
	p[1] = 11;
	p[4] = 14;
	q = p + 4;
	printf("%d %d %d %d\n", *p, *(p + 1), q[0], q[-3]);
	exit(0);
}

/*
 * Postfix operators bind tighter than prefix ones.
 */
#pragma D option quiet

BEGIN
{
	p = (int *)alloca(2 * sizeof (int));
	p[0] = 5;
	p[1] = 7;
	printf("%d %d\n", -p[1], *p++);
	exit(0);
}

/*
 * All assignments and ++ work through a pointer.
 */
#pragma D option quiet

BEGIN
{
	p = (int *)alloca(2 * sizeof (int));
	p[0] = 0;
	p[1] = 10;
	p[1] += 5;
	*p ^= 3;
	printf("%d ", p[1]++);
	printf("%d ", ++*p);
	printf("%d %d\n", p[0], p[1]);
	exit(0);
}

/*
 * Pointers are conditions as well.
 */
#pragma D option quiet

BEGIN
{
	p = (int *)8;
	q = (int *)NULL;
	printf("%d%d%d%d\n", !p, !q, p && q, p || q);
	exit(0);
}

/*
 * && is 1 when both are not 0.
 */
#pragma D option quiet

BEGIN
{
	a = 5;
	b = 0;
	printf("%d%d%d%d %d%d\n", 1 && 1, 1 && 0, 0 && 1, 0 && 0, a && a, a && b);
	exit(0);
}

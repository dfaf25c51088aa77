/*
 * << moves bits up.
 */
#pragma D option quiet

BEGIN
{
	a = 1L;
	n = 40;
	printf("%d %d %d\n", 1 << 4, 1L << 40, a << n);
	exit(0);
}

/*
 * A long compared with an unsigned int is compared as a long.
 */
#pragma D option quiet

BEGIN
{
	a = -1L;
	b = 1u;
	printf("%d %d\n", -1L < 1u, a < b);
	exit(0);
}

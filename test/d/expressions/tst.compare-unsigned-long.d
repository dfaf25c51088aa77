/*
 * Comparisons of unsigned 64-bit numbers use all bits.
 */
#pragma D option quiet

BEGIN
{
	a = 0xffffffffffffffffULL;
	b = 1ULL;
	printf("%d %d\n", a > b, a < b);
	exit(0);
}

/*
 * 64-bit sums and products wrap.
 */
#pragma D option quiet

BEGIN
{
	a = 9223372036854775807;
	printf("%d %d\n", a + 1, a * 2);
	exit(0);
}

/*
 * The comparisons of signed numbers.
 */
#pragma D option quiet

BEGIN
{
	a = -1;
	b = 1;
	printf("%d%d%d%d%d%d\n", a < b, a <= b, a > b, a >= b, a == b, a != b);
	printf("%d%d%d%d%d%d\n", -1 < 1, -1 <= 1, -1 > 1, -1 >= 1, -1 == 1, -1 != 1);
	exit(0);
}

/*
 * The comparisons of equal numbers.
 */
#pragma D option quiet

BEGIN
{
	a = 5;
	printf("%d%d%d%d%d%d\n", a < 5, a <= 5, a > 5, a >= 5, a == 5, a != 5);
	exit(0);
}

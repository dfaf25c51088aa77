/*
 * Constant expressions give what the same on variables gives.
 */
#pragma D option quiet

BEGIN
{
	a = 12345;
	b = -678;
	c = 9;
	printf("%d\n", (12345 + -678 * 9) / 7 % 100 == (a + b * c) / 7 % 100);
	printf("%d\n", ((12345 << 3) ^ (-678 >> 2)) == ((a << 3) ^ (b >> 2)));
	printf("%d\n", (12345 > -678 && !(9 == 9) || -678 < 9) == (a > b && !(c == c) || b < c));
	exit(0);
}

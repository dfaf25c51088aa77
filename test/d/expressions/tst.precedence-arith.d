/*
 * * / % bind tighter than + and -.
 */
#pragma D option quiet

BEGIN
{
	a = 2;
	b = 3;
	c = 4;
	printf("%d %d %d %d\n", a + b * c, a * b + c, 20 - 9 / 3, 20 % 7 + 1);
	exit(0);
}

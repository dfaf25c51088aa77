/*
 * The value of a comma expression is that of its right side.
 */
#pragma D option quiet

BEGIN
{
	x = (1, 2, 3);
	y = (x++, x * 2);
	printf("%d %d\n", x, y);
	exit(0);
}

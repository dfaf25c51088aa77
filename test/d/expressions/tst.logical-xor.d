/*
 * ^^ is 1 when exactly one is not 0.
 */
#pragma D option quiet

BEGIN
{
	a = 5;
	b = 0;
	c = 7;
	printf("%d%d%d%d %d%d%d\n", 1 ^^ 1, 1 ^^ 0, 0 ^^ 1, 0 ^^ 0, a ^^ b, a ^^ c, b ^^ b);
	exit(0);
}

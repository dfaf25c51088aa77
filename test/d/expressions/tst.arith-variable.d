/*
 * The four operations and the remainder on variables.
 */
#pragma D option quiet

BEGIN
{
	a = 7;
	b = 3;
	printf("%d %d %d %d %d\n", a + b, b - a, a * b, a / b, a % b);
	exit(0);
}

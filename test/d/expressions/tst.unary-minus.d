/*
 * Unary minus and plus, once and more.
 */
#pragma D option quiet

BEGIN
{
	a = 5;
	printf("%d %d %d %d\n", -a, +a, - -a, -(-5));
	exit(0);
}

/*
 * Unary operators bind tighter than binary ones.
 */
#pragma D option quiet

BEGIN
{
	a = 3;
	printf("%d %d %d %d\n", -a + 5, !a + 1, ~a & 0xf, -a * -a);
	exit(0);
}

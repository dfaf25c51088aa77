/*
 * A compound assignment to a declared variable without a value begins at 0.
 */
#pragma D option quiet

int x;
long y;

BEGIN
{
	x += 5;
	y |= 6;
	printf("%d %d\n", x, y);
	exit(0);
}

/*
 * The right side of a compound assignment is evaluated first.
 */
#pragma D option quiet

BEGIN
{
	x = 10;
	x -= 2 + 3;
	printf("%d ", x);
	x *= 1 + 1;
	printf("%d\n", x);
	exit(0);
}

/*
 * The right side of && is not evaluated when the left is 0.
 */
#pragma D option quiet

BEGIN
{
	x = 0;
	n = 0;
	printf("%d ", n && x++);
	printf("%d ", x);
	printf("%d ", !n && ++x);
	printf("%d\n", x);
	exit(0);
}

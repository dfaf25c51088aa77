/*
 * sizeof takes an expression and does not evaluate it.
 */
#pragma D option quiet

BEGIN
{
	x = 5;
	printf("%d ", sizeof (x++));
	printf("%d ", sizeof x);
	printf("%d\n", x);
	exit(0);
}

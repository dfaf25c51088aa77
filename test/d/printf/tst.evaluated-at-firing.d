/*
 * Asserts that arguments are evaluated when the probe fires, not when the record is printed.
 */
#pragma D option quiet

BEGIN
{
	x = 1;
	printf("%d ", x);
	x = 2;
	printf("%d\n", x);
	exit(0);
}

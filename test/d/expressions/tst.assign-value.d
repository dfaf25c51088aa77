/*
 * An assignment has a value and groups from the right.
 */
#pragma D option quiet

BEGIN
{
	a = b = c = 5;
	printf("%d %d %d %d\n", a, b, c, (a = 7));
	exit(0);
}

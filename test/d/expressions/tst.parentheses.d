/*
 * Parentheses change the grouping.
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d %d\n", (2 + 3) * 4, 2 * (3 + 4), ((((1)))));
	exit(0);
}

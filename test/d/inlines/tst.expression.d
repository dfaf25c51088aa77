/*
 * An inline of an expression is evaluated where it is used.
 */
#pragma D option quiet

int n;
inline int next = n + 1;

BEGIN
{
	printf("%d ", next);
	n = 10;
	printf("%d\n", next);
	exit(0);
}

/*
 * An inline with a tuple takes parameters.
 */
#pragma D option quiet

inline int total[int x, int y] = x + y;

BEGIN
{
	printf("%d %d\n", total[3, 4], total[total[1, 2], 10]);
	exit(0);
}

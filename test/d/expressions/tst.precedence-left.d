/*
 * Operators of one level group from the left.
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d %d\n", 20 - 5 - 3, 100 / 10 / 2, 100 / 10 * 2);
	exit(0);
}

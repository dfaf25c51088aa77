/*
 * & binds tighter than ^, which binds tighter than |.
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d\n", 1 | 2 ^ 2 & 3, 4 ^ 4 | 1);
	exit(0);
}

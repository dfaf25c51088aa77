/*
 * Shifts bind looser than sums and tighter than comparisons.
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d\n", 1 << 2 + 1, 1 << 2 < 5);
	exit(0);
}

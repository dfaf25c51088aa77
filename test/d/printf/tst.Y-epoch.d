/*
 * Asserts that %Y of 0 is the epoch, with the day of the month padded by a space.
 */
#pragma D option quiet

BEGIN
{
	printf("%Y\n", (int64_t)0);
	exit(0);
}

/*
 * Asserts that %Y prints a nanosecond stamp as year, month, day and time.
 */
#pragma D option quiet

BEGIN
{
	printf("%Y\n", 1234567890123456789);
	exit(0);
}

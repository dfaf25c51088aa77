/*
 * Asserts that %u reads a negative value by its own size.
 */
#pragma D option quiet

BEGIN
{
	printf("%u %u %u %u\n", (char)-1, (short)-1, -1, (long long)-1);
	exit(0);
}

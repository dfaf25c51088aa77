/*
 * Asserts that %ld, %lu and %lx take a long.
 */
#pragma D option quiet

BEGIN
{
	printf("%ld %lu %lx\n", (long)-2, (unsigned long)3, (long)-1);
	exit(0);
}

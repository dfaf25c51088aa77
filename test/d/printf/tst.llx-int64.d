/*
 * Asserts that %llx takes int64_t and uint64_t.
 */
#pragma D option quiet

BEGIN
{
	printf("%llx %llX\n", (int64_t)171, (uint64_t)171);
	exit(0);
}

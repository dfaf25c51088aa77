/*
 * Asserts that %d prints an unsigned value as unsigned.
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d\n", (uint32_t)-1, (uint64_t)-1);
	exit(0);
}

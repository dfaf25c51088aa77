/*
 * Asserts that %a honours width.
 */
#pragma D option quiet

BEGIN
{
	printf("[%6a] [%-6a]\n", (uintptr_t)1, (uintptr_t)2);
	exit(0);
}

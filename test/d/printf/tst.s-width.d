/*
 * Asserts that %s honours width and -.
 */
#pragma D option quiet

BEGIN
{
	printf("[%6s] [%-6s] [%2s]\n", "abc", "abc", "abc");
	exit(0);
}

/*
 * Asserts that - puts a number at the left of its field.
 */
#pragma D option quiet

BEGIN
{
	printf("[%-6d] [%-6x]\n", 42, 0xff);
	exit(0);
}

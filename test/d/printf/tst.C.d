/*
 * Asserts that %C prints printable characters as they are and escapes others.
 */
#pragma D option quiet

BEGIN
{
	printf("%C %C %C\n", 'a', '\n', '\0');
	exit(0);
}

/*
 * Asserts that %s prints a string.
 */
#pragma D option quiet

BEGIN
{
	printf("%s %s\n", "hello", probename);
	exit(0);
}

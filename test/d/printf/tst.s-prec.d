/*
 * Asserts that the precision of %s cuts the string.
 */
#pragma D option quiet

BEGIN
{
	printf("[%.2s] [%5.1s] [%-5.4s]\n", "abcdef", "abcdef", "abcdef");
	exit(0);
}

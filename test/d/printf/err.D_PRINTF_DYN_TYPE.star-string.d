/*
 * Asserts that printf() is refused when * is given a string.
 */

BEGIN
{
	printf("%*d", "x", 1);
	exit(0);
}

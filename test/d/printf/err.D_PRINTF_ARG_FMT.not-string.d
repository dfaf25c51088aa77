/*
 * Asserts that printf() is refused when the format is not a string literal.
 */

BEGIN
{
	printf(1);
	exit(0);
}

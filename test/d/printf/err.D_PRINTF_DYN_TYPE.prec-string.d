/*
 * Asserts that printf() is refused when .* is given a string.
 */

BEGIN
{
	printf("%.*s", "x", "y");
	exit(0);
}

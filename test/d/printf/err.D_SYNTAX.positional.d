/*
 * Asserts that printf() is refused when a conversion is positional.
 */

BEGIN
{
	printf("%1$d", 1);
	exit(0);
}

/*
 * Asserts that printf() is refused when a conversion is unknown.
 */

BEGIN
{
	printf("%b", 1);
	exit(0);
}

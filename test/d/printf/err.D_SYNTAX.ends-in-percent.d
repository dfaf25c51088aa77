/*
 * Asserts that printf() is refused when the format ends inside a conversion.
 */

BEGIN
{
	printf("%", 1);
	exit(0);
}

/*
 * Asserts that printf() is refused when an argument has no conversion.
 */

BEGIN
{
	printf("%d", 1, 2);
	exit(0);
}

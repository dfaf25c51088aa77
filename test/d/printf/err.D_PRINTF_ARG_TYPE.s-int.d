/*
 * Asserts that printf() is refused when a number is given to %s.
 */

BEGIN
{
	printf("%s", 1);
	exit(0);
}

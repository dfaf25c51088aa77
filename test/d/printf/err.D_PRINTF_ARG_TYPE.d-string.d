/*
 * Asserts that printf() is refused when a string is given to %d.
 */

BEGIN
{
	printf("%d", "x");
	exit(0);
}

/*
 * Asserts that printf() is refused when a string is given to %p.
 */

BEGIN
{
	printf("%p", "x");
	exit(0);
}

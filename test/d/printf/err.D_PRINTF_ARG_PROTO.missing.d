/*
 * Asserts that printf() is refused when a conversion has no argument.
 */

BEGIN
{
	printf("%d %d", 1);
	exit(0);
}

/*
 * Asserts that printf() is refused when @ is used outside printa().
 */

BEGIN
{
	printf("%@d", 1);
	exit(0);
}

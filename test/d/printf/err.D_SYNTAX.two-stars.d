/*
 * Asserts that printf() is refused when a conversion has two * widths.
 */

BEGIN
{
	printf("%**d", 1, 2, 3);
	exit(0);
}

/*
 * Asserts that printf() is refused when printf() is called without a format.
 */

BEGIN
{
	printf();
	exit(0);
}

/*
 * Asserts that printf() is refused when the format is empty.
 */

BEGIN
{
	printf("");
	exit(0);
}

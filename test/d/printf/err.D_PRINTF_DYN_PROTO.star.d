/*
 * Asserts that printf() is refused when * has no argument.
 */

BEGIN
{
	printf("%*d");
	exit(0);
}

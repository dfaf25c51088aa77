/*
 * Asserts that printf() is refused when a string is given to %x.
 */

BEGIN
{
	printf("%x", probename);
	exit(0);
}

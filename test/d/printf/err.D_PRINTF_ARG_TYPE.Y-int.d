/*
 * Asserts that printf() is refused when %Y is given a value narrower than 64 bits.
 */

BEGIN
{
	printf("%Y", 1);
	exit(0);
}

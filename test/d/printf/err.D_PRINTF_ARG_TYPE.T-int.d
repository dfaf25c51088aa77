/*
 * Asserts that printf() is refused when %T is given a value narrower than 64 bits.
 */

BEGIN
{
	printf("%T", 1);
	exit(0);
}

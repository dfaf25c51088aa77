/*
 * Asserts that printf() is refused when %c is given a value wider than an int.
 */

BEGIN
{
	printf("%c", (long long)65);
	exit(0);
}

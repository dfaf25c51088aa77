/*
 * Asserts that printf() is refused when %k is given something that is not a stack.
 */

BEGIN
{
	printf("%k", 1);
	exit(0);
}

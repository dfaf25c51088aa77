/*
 * Asserts that printf() is refused when %f is given an integer: D has no floating values.
 */

BEGIN
{
	printf("%f", 1);
	exit(0);
}

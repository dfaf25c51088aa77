/*
 * Asserts that a program is refused when the factor of llquantize() is less than 2.
 */

BEGIN
{
	@a = llquantize(1, 1, 0, 3, 10);
	exit(0);
}

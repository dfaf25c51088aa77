/*
 * Asserts that a program is refused when the factor of llquantize() is no constant.
 */

BEGIN
{
	x = 10;
	@a = llquantize(1, x, 0, 3, 10);
	exit(0);
}

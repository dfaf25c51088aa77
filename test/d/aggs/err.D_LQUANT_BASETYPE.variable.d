/*
 * Asserts that a program is refused when the base of lquantize() is no constant.
 */

BEGIN
{
	x = 1;
	@a = lquantize(1, x, 10, 1);
	exit(0);
}

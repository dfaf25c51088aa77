/*
 * Asserts that a program is refused when the step of lquantize() is no constant.
 */

BEGIN
{
	x = 1;
	@a = lquantize(1, 0, 10, x);
	exit(0);
}

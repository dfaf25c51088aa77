/*
 * Asserts that a program is refused when the limit of lquantize() is no constant.
 */

BEGIN
{
	x = 1;
	@a = lquantize(1, 0, x, 1);
	exit(0);
}

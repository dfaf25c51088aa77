/*
 * Asserts that a program is refused when the step of lquantize() is 0.
 */

BEGIN
{
	@a = lquantize(1, 0, 10, 0);
	exit(0);
}

/*
 * Asserts that a program is refused when the step of lquantize() is greater than its range.
 */

BEGIN
{
	@a = lquantize(1, 0, 10, 100);
	exit(0);
}

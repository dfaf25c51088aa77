/*
 * Asserts that a program is refused when the step of lquantize() does not fit 16 bits.
 */

BEGIN
{
	@a = lquantize(1, 0, 1000000, 100000);
	exit(0);
}

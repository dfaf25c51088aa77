/*
 * Asserts that a program is refused when the base of lquantize() does not fit 32 bits.
 */

BEGIN
{
	@a = lquantize(1, -3000000000, 10, 1);
	exit(0);
}

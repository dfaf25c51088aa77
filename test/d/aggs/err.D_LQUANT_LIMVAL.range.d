/*
 * Asserts that a program is refused when the limit of lquantize() does not fit 32 bits.
 */

BEGIN
{
	@a = lquantize(1, 0, 3000000000, 1000000);
	exit(0);
}

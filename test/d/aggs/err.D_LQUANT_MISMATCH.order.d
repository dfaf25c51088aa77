/*
 * Asserts that a program is refused when the limit of lquantize() is below its base.
 */

BEGIN
{
	@a = lquantize(1, 10, 0, 1);
	exit(0);
}

/*
 * Asserts that a program is refused when lquantize() would have more than 65535 steps.
 */

BEGIN
{
	@a = lquantize(1, 0, 100000, 1);
	exit(0);
}

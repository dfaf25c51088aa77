/*
 * Asserts that a program is refused when an aggregation has two bases.
 */

BEGIN
{
	@a = lquantize(1, 0, 10, 1);
	@a = lquantize(1, 1, 10, 1);
	exit(0);
}

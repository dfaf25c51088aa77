/*
 * Asserts that a program is refused when an aggregation has two limits.
 */

BEGIN
{
	@a = lquantize(1, 0, 10, 1);
	@a = lquantize(1, 0, 20, 1);
	exit(0);
}

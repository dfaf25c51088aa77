/*
 * Asserts that a program is refused when an aggregation has two steps.
 */

BEGIN
{
	@a = lquantize(1, 0, 10, 1);
	@a = lquantize(1, 0, 10, 2);
	exit(0);
}

/*
 * Asserts that a program is refused when an aggregation has two factors.
 */

BEGIN
{
	@a = llquantize(1, 10, 2, 3, 20);
	@a = llquantize(1, 20, 2, 3, 20);
	exit(0);
}

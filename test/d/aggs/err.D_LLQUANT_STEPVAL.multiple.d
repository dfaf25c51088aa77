/*
 * Asserts that a program is refused when the steps of llquantize() are no multiple of its factor.
 */

BEGIN
{
	@a = llquantize(1, 10, 0, 3, 15);
	exit(0);
}

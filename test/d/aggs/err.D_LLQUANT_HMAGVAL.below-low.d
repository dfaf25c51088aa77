/*
 * Asserts that a program is refused when the low magnitude of llquantize() is above the high one.
 */

BEGIN
{
	@a = llquantize(1, 10, 5, 3, 10);
	exit(0);
}

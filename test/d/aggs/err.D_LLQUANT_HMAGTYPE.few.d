/*
 * Asserts that a program is refused when llquantize() lacks arguments.
 */

BEGIN
{
	@a = llquantize(1, 10, 0);
	exit(0);
}

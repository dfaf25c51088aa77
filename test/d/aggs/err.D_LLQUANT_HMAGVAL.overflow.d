/*
 * Asserts that a program is refused when the highest magnitude of llquantize() passes 64 bits.
 */

BEGIN
{
	@a = llquantize(1, 10, 0, 30, 10);
	exit(0);
}

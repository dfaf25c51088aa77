/*
 * Asserts that a program is refused when the factor of normalize() is a string.
 */

BEGIN
{
	@a = count();
	normalize(@a, "x");
	exit(0);
}

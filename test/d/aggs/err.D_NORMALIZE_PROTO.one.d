/*
 * Asserts that a program is refused when normalize() has no factor.
 */

BEGIN
{
	@a = count();
	normalize(@a);
	exit(0);
}

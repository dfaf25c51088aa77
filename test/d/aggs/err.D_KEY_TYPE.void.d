/*
 * Asserts that a program is refused when a key has no type.
 */

BEGIN
{
	@a[(void)0] = count();
	exit(0);
}

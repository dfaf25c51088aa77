/*
 * Asserts that a program is refused when clear() has no argument.
 */

BEGIN
{
	@a = count();
	clear();
	exit(0);
}

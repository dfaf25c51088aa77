/*
 * Asserts that a program is refused when trunc() has no argument.
 */

BEGIN
{
	@a = count();
	trunc();
	exit(0);
}

/*
 * Asserts that a program is refused when count() has an argument.
 */

BEGIN
{
	@a = count(1);
	exit(0);
}

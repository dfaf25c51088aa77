/*
 * Asserts that a program is refused when a string is summed.
 */

BEGIN
{
	@a = sum("x");
	exit(0);
}

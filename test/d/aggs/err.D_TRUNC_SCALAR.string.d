/*
 * Asserts that a program is refused when trunc() is given a string as the number.
 */

BEGIN
{
	@a = count();
	trunc(@a, "x");
	exit(0);
}

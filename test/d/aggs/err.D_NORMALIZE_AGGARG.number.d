/*
 * Asserts that a program is refused when normalize() is given a number.
 */

BEGIN
{
	normalize(1, 2);
	exit(0);
}

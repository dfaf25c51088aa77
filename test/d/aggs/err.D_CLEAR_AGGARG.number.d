/*
 * Asserts that a program is refused when clear() is given a number.
 */

BEGIN
{
	clear(1);
	exit(0);
}

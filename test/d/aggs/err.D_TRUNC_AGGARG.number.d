/*
 * Asserts that a program is refused when trunc() is given a number.
 */

BEGIN
{
	trunc(1);
	exit(0);
}

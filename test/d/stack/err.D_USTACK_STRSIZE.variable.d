/*
 * Asserts that a program is refused when the string size of ustack() is no constant.
 */

BEGIN
{
	x = 3;
	ustack(3, x);
	exit(0);
}

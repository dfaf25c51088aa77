/*
 * Asserts that a program is refused when the frames of stack() are no constant.
 */

BEGIN
{
	x = 3;
	stack(x);
	exit(0);
}

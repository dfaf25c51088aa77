/*
 * Asserts that a program is refused when the frames of ustack() are no constant.
 */

BEGIN
{
	x = 3;
	ustack(x);
	exit(0);
}

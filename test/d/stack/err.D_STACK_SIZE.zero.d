/*
 * Asserts that a program is refused when the frames of stack() are 0.
 */

BEGIN
{
	stack(0);
	exit(0);
}

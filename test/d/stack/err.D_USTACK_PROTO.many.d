/*
 * Asserts that a program is refused when ustack() has too many arguments.
 */

BEGIN
{
	ustack(1, 2, 3);
	exit(0);
}

/*
 * Asserts that a program is refused when trace() has no argument.
 */

BEGIN
{
	trace();
	exit(0);
}

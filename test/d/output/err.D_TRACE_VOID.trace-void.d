/*
 * Asserts that a program is refused when trace() is given a void expression.
 */

BEGIN
{
	trace((void)1);
	exit(0);
}

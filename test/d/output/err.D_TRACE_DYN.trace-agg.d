/*
 * Asserts that a program is refused when trace() is given an aggregation.
 */

BEGIN
{
	@a = count();
	trace(@a);
	exit(0);
}

/*
 * Asserts that a program is refused when an aggregation stands alone as a statement.
 */

BEGIN
{
	@a = count();
	@a;
	exit(0);
}

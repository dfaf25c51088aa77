/*
 * Asserts that a program is refused when an aggregation is used with two functions.
 */

BEGIN
{
	@a = count();
	@a = sum(1);
	exit(0);
}

/*
 * Asserts that a program is refused when an aggregation is assigned the result of a subroutine.
 */

BEGIN
{
	@a = strlen("x");
	exit(0);
}

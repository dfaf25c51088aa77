/*
 * Asserts that a program is refused when commit() has no argument.
 */

#pragma D option destructive

BEGIN
{
	s = speculation();
}

BEGIN
{
	commit();
}

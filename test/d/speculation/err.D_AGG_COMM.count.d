/*
 * Asserts that a program is refused when a committing clause aggregates.
 */

#pragma D option destructive

BEGIN
{
	s = speculation();
}

BEGIN
{
	commit(s);
	@a = count();
}

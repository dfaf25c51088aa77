/*
 * Asserts that a program is refused when a speculating clause aggregates.
 */

#pragma D option destructive

BEGIN
{
	s = speculation();
}

BEGIN
{
	speculate(s);
	@a = count();
}

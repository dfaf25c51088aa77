/*
 * Asserts that a program is refused when speculate() has no argument.
 */

#pragma D option destructive

BEGIN
{
	s = speculation();
}

BEGIN
{
	speculate();
}

/*
 * Asserts that a program is refused when discard() is given a string.
 */

#pragma D option destructive

BEGIN
{
	s = speculation();
}

BEGIN
{
	discard("x");
}

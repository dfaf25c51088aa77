/*
 * Asserts that a program is refused when a speculating clause raises a signal.
 */

#pragma D option destructive

BEGIN
{
	s = speculation();
}

BEGIN
{
	speculate(s);
	raise(9);
}

/*
 * Asserts that a program is refused when a speculating clause exits.
 */

#pragma D option destructive

BEGIN
{
	s = speculation();
}

BEGIN
{
	speculate(s);
	exit(0);
}

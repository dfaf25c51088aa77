/*
 * Asserts that a program is refused when a speculating clause chills.
 */

#pragma D option destructive

BEGIN
{
	s = speculation();
}

BEGIN
{
	speculate(s);
	chill(1000);
}

/*
 * Asserts that a program is refused when a speculating clause stops the process.
 */

#pragma D option destructive

BEGIN
{
	s = speculation();
}

BEGIN
{
	speculate(s);
	stop();
}

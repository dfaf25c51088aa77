/*
 * Asserts that a program is refused when a clause records data after a commit.
 */

#pragma D option destructive

BEGIN
{
	s = speculation();
}

BEGIN
{
	commit(s);
	trace(1);
}

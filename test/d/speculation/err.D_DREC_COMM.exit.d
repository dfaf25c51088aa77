/*
 * Asserts that a program is refused when a clause exits after a commit.
 */

#pragma D option destructive

BEGIN
{
	s = speculation();
}

BEGIN
{
	commit(s);
	exit(0);
}

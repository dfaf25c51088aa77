/*
 * Asserts that a program is refused when a clause speculates after a commit.
 */

#pragma D option destructive

BEGIN
{
	s = speculation();
}

BEGIN
{
	commit(s);
	speculate(s);
}

/*
 * Asserts that a program is refused when a clause commits twice.
 */

#pragma D option destructive

BEGIN
{
	s = speculation();
}

BEGIN
{
	commit(s);
	commit(s);
}

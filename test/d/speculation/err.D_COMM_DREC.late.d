/*
 * Asserts that a program is refused when a clause commits after it has recorded data.
 */

#pragma D option destructive

BEGIN
{
	s = speculation();
}

BEGIN
{
	trace(1);
	commit(s);
}

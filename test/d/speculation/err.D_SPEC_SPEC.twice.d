/*
 * Asserts that a program is refused when a clause speculates twice.
 */

#pragma D option destructive

BEGIN
{
	s = speculation();
}

BEGIN
{
	speculate(s);
	speculate(s);
}

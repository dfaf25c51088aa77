/*
 * Asserts that a program is refused when a speculating clause copies out.
 */

#pragma D option destructive

BEGIN
{
	s = speculation();
}

BEGIN
{
	speculate(s);
	copyout(alloca(4), 0, 4);
}

/*
 * Asserts that panic() is refused even with -w: it has no meaning here.
 */

#pragma D option destructive

BEGIN
{
	panic();
	exit(0);
}

/*
 * Asserts that breakpoint() is refused even with -w: it has no meaning here.
 */

#pragma D option destructive

BEGIN
{
	breakpoint();
	exit(0);
}

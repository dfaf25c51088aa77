/*
 * Asserts that chill() is refused without -w.
 */

#pragma D option quiet

BEGIN
{
	chill(1000);
	exit(0);
}

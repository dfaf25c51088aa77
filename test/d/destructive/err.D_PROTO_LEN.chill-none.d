/*
 * Asserts that chill() needs a time.
 */

#pragma D option destructive

BEGIN
{
	chill();
}

/*
 * Asserts that system() needs a format.
 */

#pragma D option destructive

BEGIN
{
	system();
}

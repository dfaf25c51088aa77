/*
 * Asserts that system() is refused without -w.
 */

#pragma D option quiet

BEGIN
{
	system("true");
	exit(0);
}

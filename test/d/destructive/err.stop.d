/*
 * Asserts that stop() is refused without -w.
 */

#pragma D option quiet

BEGIN
{
	stop();
	exit(0);
}

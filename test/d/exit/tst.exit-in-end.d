/*
 * Asserts that exit() in END sets the status.
 *
 * @@exit: 6
 */
#pragma D option quiet

BEGIN
{
	exit(0);
}

END
{
	exit(6);
}

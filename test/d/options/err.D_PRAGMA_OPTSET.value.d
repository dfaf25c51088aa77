/*
 * Asserts that a bad value in a pragma is refused.
 */

#pragma D option bufsize=12q

BEGIN
{
	exit(0);
}

/*
 * Asserts that an unknown option in a pragma is refused.
 */

#pragma D option nosuchoption

BEGIN
{
	exit(0);
}

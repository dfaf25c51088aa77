/*
 * Asserts that zdefs allows descriptions that match nothing.
 *
 * @@opts: -xzdefs
 */
#pragma D option quiet

nosuch:::probe
{
}

BEGIN
{
	exit(0);
}

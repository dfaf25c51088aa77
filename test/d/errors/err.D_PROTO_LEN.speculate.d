/*
 * speculate() needs an identifier.
 */
#pragma D option quiet

BEGIN
{
	speculate();
}

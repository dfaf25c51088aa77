/*
 * speculate() comes once in a clause.
 */
#pragma D option quiet

BEGIN
{
	speculate(1);
	speculate(2);
}

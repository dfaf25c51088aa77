/*
 * commit() comes once in a clause.
 */
#pragma D option quiet

BEGIN
{
	commit(1);
	commit(2);
}

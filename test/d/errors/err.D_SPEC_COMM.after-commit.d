/*
 * speculate() does not follow commit().
 */
#pragma D option quiet

BEGIN
{
	commit(1);
	speculate(2);
}

/*
 * Nothing is aggregated after commit().
 */
#pragma D option quiet

BEGIN
{
	commit(1);
	@a = count();
}

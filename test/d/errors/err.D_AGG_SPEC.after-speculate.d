/*
 * Nothing is aggregated after speculate().
 */
#pragma D option quiet

BEGIN
{
	speculate(1);
	@a = count();
}

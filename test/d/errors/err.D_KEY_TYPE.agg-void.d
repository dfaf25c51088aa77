/*
 * A void expression is no key of an aggregation.
 */
#pragma D option quiet

BEGIN
{
	@a[(void)1] = count();
}

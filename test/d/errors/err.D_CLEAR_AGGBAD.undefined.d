/*
 * clear() of an element of an aggregation that nothing was ever added to.
 */
#pragma D option quiet

BEGIN
{
	clear(@a[1]);
}

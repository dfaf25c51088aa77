/*
 * normalize() of an element of an aggregation that nothing was ever added to.
 */
#pragma D option quiet

BEGIN
{
	normalize(@a[1], 10);
}

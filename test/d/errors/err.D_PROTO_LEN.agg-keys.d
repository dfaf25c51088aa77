/*
 * An aggregation has always the same number of keys.
 */
#pragma D option quiet

BEGIN
{
	@a[1] = count();
	@a[1, 2] = count();
}

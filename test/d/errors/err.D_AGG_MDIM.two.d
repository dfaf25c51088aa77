/*
 * An aggregation has one tuple of keys.
 */
#pragma D option quiet

BEGIN
{
	@a[1][2] = count();
}

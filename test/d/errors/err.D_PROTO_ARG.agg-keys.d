/*
 * An aggregation has always the same types of keys.
 */
#pragma D option quiet

BEGIN
{
	@a[1] = count();
	@a["x"] = count();
}

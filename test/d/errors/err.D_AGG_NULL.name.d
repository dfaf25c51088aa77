/*
 * An aggregation alone does nothing.
 */
#pragma D option quiet

BEGIN
{
	@a = count();
	@a;
}

/*
 * An aggregation takes an aggregating function.
 */
#pragma D option quiet

BEGIN
{
	@a = 1;
}

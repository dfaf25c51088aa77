/*
 * An aggregation has one function.
 */
#pragma D option quiet

BEGIN
{
	@a = count();
	@a = sum(1);
}

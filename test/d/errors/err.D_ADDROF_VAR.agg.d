/*
 * An aggregation has no address.
 */
#pragma D option quiet

BEGIN
{
	@a = count();
	trace(&@a);
}

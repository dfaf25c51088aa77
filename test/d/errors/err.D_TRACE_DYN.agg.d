/*
 * An aggregation is not traced.
 */
#pragma D option quiet

BEGIN
{
	@a = count();
	trace(@a);
}

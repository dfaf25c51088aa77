/*
 * Aggregations do not stand in a comma expression.
 */
#pragma D option quiet

BEGIN
{
	@a = count();
	(@a, 1);
}

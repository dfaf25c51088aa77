/*
 * The value of an aggregation is an expression that must be known.
 */
#pragma D option quiet

BEGIN
{
	@a = sum(nosuchvariable);
}

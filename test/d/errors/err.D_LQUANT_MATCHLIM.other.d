/*
 * All lquantize() of one aggregation have the same upper bound.
 */
#pragma D option quiet

BEGIN
{
	@a = lquantize(5, 0, 10, 1);
	@a = lquantize(5, 0, 20, 1);
}

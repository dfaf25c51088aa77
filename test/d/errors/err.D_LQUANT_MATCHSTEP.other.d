/*
 * All lquantize() of one aggregation have the same step.
 */
#pragma D option quiet

BEGIN
{
	@a = lquantize(5, 0, 10, 1);
	@a = lquantize(5, 0, 10, 2);
}

/*
 * All lquantize() of one aggregation have the same lower bound.
 */
#pragma D option quiet

BEGIN
{
	@a = lquantize(5, 0, 10, 1);
	@a = lquantize(5, 1, 10, 1);
}

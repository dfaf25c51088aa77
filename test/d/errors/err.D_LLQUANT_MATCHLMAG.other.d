/*
 * All llquantize() of one aggregation have the same low magnitude.
 */
#pragma D option quiet

BEGIN
{
	@a = llquantize(5, 10, 0, 3, 10);
	@a = llquantize(5, 10, 1, 3, 10);
}

/*
 * All llquantize() of one aggregation have the same high magnitude.
 */
#pragma D option quiet

BEGIN
{
	@a = llquantize(5, 10, 0, 3, 10);
	@a = llquantize(5, 10, 0, 4, 10);
}

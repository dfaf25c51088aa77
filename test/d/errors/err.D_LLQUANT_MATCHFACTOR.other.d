/*
 * All llquantize() of one aggregation have the same factor.
 */
#pragma D option quiet

BEGIN
{
	@a = llquantize(5, 10, 0, 3, 100);
	@a = llquantize(5, 20, 0, 3, 100);
}

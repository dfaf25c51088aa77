/*
 * The step of lquantize() is no larger than its range.
 */
#pragma D option quiet

BEGIN
{
	@a = lquantize(5, 0, 10, 11);
}

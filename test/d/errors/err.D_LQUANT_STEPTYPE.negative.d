/*
 * The step of lquantize() is positive.
 */
#pragma D option quiet

BEGIN
{
	@a = lquantize(5, 0, 10, -1);
}

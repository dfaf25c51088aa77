/*
 * The lower bound of lquantize() is below the upper one.
 */
#pragma D option quiet

BEGIN
{
	@a = lquantize(5, 10, 0, 1);
}

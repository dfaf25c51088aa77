/*
 * The factor of llquantize() is at least 2.
 */
#pragma D option quiet

BEGIN
{
	@a = llquantize(5, 1, 0, 3, 10);
}

/*
 * Asserts that the step of lquantize() is 1 when left out.
 */
#pragma D option quiet

BEGIN
{
	@ = lquantize(5, 0, 10);
	exit(0);
}

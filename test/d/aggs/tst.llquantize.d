/*
 * Asserts the distribution of llquantize(): each magnitude has its own linear steps.
 */
#pragma D option quiet

BEGIN
{
	@ = llquantize(15, 10, 1, 3, 10);
	@ = llquantize(250, 10, 1, 3, 10);
	exit(0);
}

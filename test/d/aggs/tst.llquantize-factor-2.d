/*
 * Asserts that llquantize() works with factor 2.
 */
#pragma D option quiet

BEGIN
{
	@ = llquantize(5, 2, 1, 4, 2);
	exit(0);
}

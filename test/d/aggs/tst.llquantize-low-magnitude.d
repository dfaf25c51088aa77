/*
 * Asserts that the lowest magnitude has steps of 1 when its steps would be smaller.
 */
#pragma D option quiet

BEGIN
{
	@ = llquantize(3, 10, 0, 2, 20);
	@ = llquantize(12, 10, 0, 2, 20);
	exit(0);
}

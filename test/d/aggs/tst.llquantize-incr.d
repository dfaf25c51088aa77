/*
 * Asserts that the sixth argument of llquantize() is the increment.
 */
#pragma D option quiet

BEGIN
{
	@ = llquantize(30, 10, 1, 2, 10, 4);
	exit(0);
}

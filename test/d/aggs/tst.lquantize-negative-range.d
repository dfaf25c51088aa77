/*
 * Asserts that the range may be negative.
 */
#pragma D option quiet

BEGIN
{
	@ = lquantize(-15, -20, -10, 5);
	exit(0);
}

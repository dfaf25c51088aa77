/*
 * Asserts that a value belongs to the step at or below it.
 */
#pragma D option quiet

BEGIN
{
	@ = lquantize(19, 0, 100, 10);
	@ = lquantize(20, 0, 100, 10);
	exit(0);
}

/*
 * Asserts that a range that is no multiple of the step ends at the last whole step.
 */
#pragma D option quiet

BEGIN
{
	@ = lquantize(9, 0, 10, 3);
	exit(0);
}

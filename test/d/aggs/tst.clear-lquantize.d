/*
 * Asserts that a cleared linear distribution shows its first rows, empty.
 */
#pragma D option quiet

BEGIN
{
	@a = lquantize(50, 0, 100, 10);
	clear(@a);
	exit(0);
}

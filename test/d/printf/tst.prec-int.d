/*
 * Asserts that the precision of a number is its least number of digits.
 */
#pragma D option quiet

BEGIN
{
	printf("[%.5d] [%8.3d] [%.1x]\n", 42, 7, 255);
	exit(0);
}

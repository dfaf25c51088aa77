/*
 * Asserts that a cleared standard deviation prints as 0.
 */
#pragma D option quiet

BEGIN
{
	@a = stddev(5);
	clear(@a);
	exit(0);
}

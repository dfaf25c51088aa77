/*
 * Asserts that stddev() of one value is 0.
 */
#pragma D option quiet

BEGIN
{
	@ = stddev(1000);
	exit(0);
}

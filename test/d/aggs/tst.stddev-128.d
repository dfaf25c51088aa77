/*
 * Asserts that stddev() keeps squares in 128 bits.
 */
#pragma D option quiet

BEGIN
{
	@ = stddev(4000000000000);
	@ = stddev(-4000000000000);
	exit(0);
}

/*
 * Asserts that stddev() is the root of the mean of squares less the square of the mean.
 */
#pragma D option quiet

BEGIN
{
	@ = stddev(2);
	@ = stddev(4);
	@ = stddev(6);
	@ = stddev(12);
	exit(0);
}

/*
 * Asserts that stddev() of negative values is that of their absolute values.
 */
#pragma D option quiet

BEGIN
{
	@ = stddev(-1);
	@ = stddev(-5);
	exit(0);
}

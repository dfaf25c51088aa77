/*
 * normalize() divides what stddev() shows: the variance is divided by the square of the factor.
 */
#pragma D option quiet

BEGIN
{
	@ = stddev(100);
	@ = stddev(-100);
	normalize(@, 10);
	printa("%@d\n", @);
	exit(0);
}

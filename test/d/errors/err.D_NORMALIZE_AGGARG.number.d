/*
 * normalize() takes an aggregation.
 */
#pragma D option quiet

BEGIN
{
	normalize(1, 2);
}

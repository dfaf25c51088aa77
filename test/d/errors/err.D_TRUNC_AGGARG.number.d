/*
 * trunc() takes an aggregation.
 */
#pragma D option quiet

BEGIN
{
	trunc(1);
}

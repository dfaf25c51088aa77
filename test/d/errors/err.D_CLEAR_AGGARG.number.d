/*
 * clear() takes an aggregation.
 */
#pragma D option quiet

BEGIN
{
	clear(1);
}

/*
 * clear() of an aggregation that does not exist is refused.
 */
#pragma D option quiet

BEGIN
{
	clear(@never);
}

/*
 * trunc() of an aggregation that does not exist is refused.
 */
#pragma D option quiet

BEGIN
{
	trunc(@never);
}

/*
 * trunc() of an element of an aggregation that nothing was ever added to.
 */
#pragma D option quiet

BEGIN
{
	trunc(@a[1]);
}

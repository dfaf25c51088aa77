/*
 * An aggregation is no key of another.
 */
#pragma D option quiet

BEGIN
{
	@b = count();
	@a[@b] = count();
}

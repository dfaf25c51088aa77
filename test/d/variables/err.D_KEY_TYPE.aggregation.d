/*
 * An aggregation is no key.
 */
#pragma D option quiet

BEGIN
{
	@x = count();
	a[@x] = 3;
}

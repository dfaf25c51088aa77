/*
 * clear() takes one aggregation.
 */
#pragma D option quiet

BEGIN
{
	@a = count();
	@b = count();
	clear(@a, @b);
}

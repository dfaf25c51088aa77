/*
 * Aggregations do not stand in ?:.
 */
#pragma D option quiet

BEGIN
{
	@a = count();
	@b = count();
	pid ? @a : @b;
}

/*
 * printa() has no more keys than its aggregation.
 */
#pragma D option quiet

BEGIN
{
	@a[1] = count();
	printa("%d %d %@d\n", @a);
}

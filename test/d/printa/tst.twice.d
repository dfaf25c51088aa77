/*
 * Asserts that printa() leaves the aggregation as it is.
 */
#pragma D option quiet

BEGIN
{
	@a = count();
	printa("%@d\n", @a);
	printa("%@d\n", @a);
	exit(0);
}

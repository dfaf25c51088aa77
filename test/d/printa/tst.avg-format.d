/*
 * Asserts that %@d of an average prints the average.
 */
#pragma D option quiet

BEGIN
{
	@a = avg(1);
	@a = avg(4);
	printa("%@d\n", @a);
	exit(0);
}

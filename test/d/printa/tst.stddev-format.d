/*
 * Asserts that stddev prints by %@d.
 */
#pragma D option quiet

BEGIN
{
	@a = stddev(1);
	@a = stddev(5);
	printa("%@d\n", @a);
	exit(0);
}

/*
 * Asserts that min and max print by %@d.
 */
#pragma D option quiet

BEGIN
{
	@l = min(-7);
	@h = max(9);
	printa("%@d\n", @l);
	printa("%@d\n", @h);
	exit(0);
}

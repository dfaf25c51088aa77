/*
 * Asserts that printa() after clear() prints 0.
 */
#pragma D option quiet

BEGIN
{
	@a = count();
	clear(@a);
	printa("%@d\n", @a);
	exit(0);
}

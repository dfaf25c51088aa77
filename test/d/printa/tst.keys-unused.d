/*
 * Asserts that a format may leave out keys.
 */
#pragma D option quiet

BEGIN
{
	@a["k", 1] = sum(9);
	printa("%s %@d\n", @a);
	exit(0);
}

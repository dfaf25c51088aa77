/*
 * Asserts that keys honour width.
 */
#pragma D option quiet

BEGIN
{
	@a["k", 3] = sum(9);
	printa("[%5s] [%-5d] %@d\n", @a);
	exit(0);
}

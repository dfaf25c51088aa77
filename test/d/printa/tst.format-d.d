/*
 * Asserts that %@d prints the value.
 */
#pragma D option quiet

BEGIN
{
	@a = sum(42);
	printa("v=%@d\n", @a);
	exit(0);
}

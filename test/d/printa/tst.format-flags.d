/*
 * Asserts that the value honours flags and width.
 */
#pragma D option quiet

BEGIN
{
	@a = sum(42);
	printa("[%@6d] [%-@6d] [%@06d] [%+@d]\n", @a);
	exit(0);
}

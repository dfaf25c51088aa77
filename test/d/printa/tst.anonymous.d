/*
 * Asserts that the anonymous aggregation can be printed.
 */
#pragma D option quiet

BEGIN
{
	@["k"] = count();
	printa("%s %@d\n", @);
	exit(0);
}

/*
 * Asserts that a stack is a key.
 */
#pragma D option quiet

BEGIN
{
	@[stack()] = count();
	@[stack()] = count();
	printa("%@d\n", @);
	exit(0);
}

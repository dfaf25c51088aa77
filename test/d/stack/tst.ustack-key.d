/*
 * Asserts that a user stack is a key.
 */
#pragma D option quiet

BEGIN
{
	@[ustack(2)] = count();
	printa("%@d\n", @);
	exit(0);
}

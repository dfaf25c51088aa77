/*
 * Asserts that %a prints a symbol key.
 */
#pragma D option quiet

BEGIN
{
	@[sym((uintptr_t)0x10)] = count();
	printa("%a %@d\n", @);
	exit(0);
}

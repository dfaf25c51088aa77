/*
 * Asserts that a symbol is a key.
 */
#pragma D option quiet

BEGIN
{
	@[sym((uintptr_t)0x10)] = count();
	exit(0);
}

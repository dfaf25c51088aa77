/*
 * Asserts that a module is a key.
 */
#pragma D option quiet

BEGIN
{
	@[mod((uintptr_t)0x10)] = sum(3);
	exit(0);
}

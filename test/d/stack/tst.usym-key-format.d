/*
 * Asserts that %A prints a user symbol key.
 */
#pragma D option quiet

BEGIN
{
	@[usym((uintptr_t)0x10)] = count();
	printa("%A %@d\n", @);
	exit(0);
}

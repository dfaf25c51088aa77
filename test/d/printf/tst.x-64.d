/*
 * Asserts that %x of a 64-bit value prints all of it.
 */
#pragma D option quiet

BEGIN
{
	printf("%x\n", 0x123456789abcdef0);
	exit(0);
}

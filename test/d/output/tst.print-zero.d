/*
 * Asserts that print() shows 0 without 0x.
 */
#pragma D option quiet

BEGIN
{
	print((uint64_t)0);
	exit(0);
}

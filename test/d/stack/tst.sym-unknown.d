/*
 * Asserts that sym() of an address without a symbol prints the address in 50 columns.
 */
#pragma D option quiet

BEGIN
{
	sym((uintptr_t)0x10);
	exit(0);
}

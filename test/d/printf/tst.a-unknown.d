/*
 * Asserts that %a of an address without a symbol prints it in hexadecimal with 0x.
 */
#pragma D option quiet

BEGIN
{
	printf("%a\n", (uintptr_t)1);
	exit(0);
}

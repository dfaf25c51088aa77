/*
 * ?: may give a pointer or NULL.
 */
#pragma D option quiet

BEGIN
{
	a = 0;
	p = (int *)0x10;
	printf("%x\n", (uintptr_t)(a ? NULL : p));
	exit(0);
}

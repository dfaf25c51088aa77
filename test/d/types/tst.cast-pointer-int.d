/*
 * Pointers may be cast to integers and back.
 */
#pragma D option quiet

BEGIN
{
	p = (int *)0x1000;
	printf("%x %x\n", (uintptr_t)p, (uintptr_t)(p + 1));
	exit(0);
}

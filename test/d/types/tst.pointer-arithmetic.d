/*
 * Adding to a pointer counts elements, and so does the difference of two.
 */
#pragma D option quiet

BEGIN
{
	p = (int *)0x1000;
	q = (long *)0x1000;
	r = (char *)0x1000;
	printf("%x %x %x\n", (uintptr_t)(p + 2), (uintptr_t)(q + 2), (uintptr_t)(r + 2));
	printf("%d %d %x\n", (p + 5) - p, (q + 5) - (q + 7), (uintptr_t)(p - 1));
	exit(0);
}

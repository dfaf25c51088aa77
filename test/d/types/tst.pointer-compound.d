/*
 * += and -= on a pointer count elements.
 */
#pragma D option quiet

BEGIN
{
	p = (short *)0x1000;
	p += 3;
	printf("%x ", (uintptr_t)p);
	p -= 1;
	printf("%x\n", (uintptr_t)p);
	exit(0);
}

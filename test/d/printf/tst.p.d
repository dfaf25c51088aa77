/*
 * Asserts that %p prints a pointer in hexadecimal without 0x, as DTrace does.
 */
#pragma D option quiet

BEGIN
{
	printf("%p %p\n", (void *)0x1234, (char *)0xfff);
	exit(0);
}

/*
 * Asserts that %p takes a number as well.
 */
#pragma D option quiet

BEGIN
{
	printf("%p\n", 0xabc);
	exit(0);
}

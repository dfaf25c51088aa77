/*
 * Asserts that %X prints upper-case digits.
 */
#pragma D option quiet

BEGIN
{
	printf("%X\n", 0xdeadbeef);
	exit(0);
}

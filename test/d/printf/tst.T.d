/*
 * Asserts that %T prints the time as RFC 822 has it.
 */
#pragma D option quiet

BEGIN
{
	printf("%T\n", 1234567890123456789);
	exit(0);
}

/*
 * Asserts that ? is the width of a pointer in hexadecimal digits: 16.
 */
#pragma D option quiet

BEGIN
{
	printf("[%?x] [%0?x]\n", 0xabc, 0xabc);
	exit(0);
}

/*
 * Asserts that escapes of the format string are done.
 */
#pragma D option quiet

BEGIN
{
	printf("a\tb\x41\101\n");
	exit(0);
}

/*
 * Asserts that %hd takes a short.
 */
#pragma D option quiet

BEGIN
{
	printf("%hd %hx\n", (short)-2, (short)-2);
	exit(0);
}

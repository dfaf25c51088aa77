/*
 * Asserts that %o prints octal.
 */
#pragma D option quiet

BEGIN
{
	printf("%o %o\n", 8, 0777);
	exit(0);
}

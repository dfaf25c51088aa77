/*
 * Asserts that %wc prints the character of an int.
 */
#pragma D option quiet

BEGIN
{
	printf("%wc\n", (int)'Z');
	exit(0);
}

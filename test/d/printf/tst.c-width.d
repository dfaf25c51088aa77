/*
 * Asserts that %c honours width.
 */
#pragma D option quiet

BEGIN
{
	printf("[%3c] [%-3c]\n", 'x', 'y');
	exit(0);
}

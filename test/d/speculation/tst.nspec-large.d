/*
 * Asserts that many speculations cost nothing until they are begun.
 *
 * @@opts: -xnspec=10000
 */
#pragma D option quiet

BEGIN
{
	printf("%d\n", speculation());
	exit(0);
}

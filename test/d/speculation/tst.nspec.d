/*
 * Asserts that nspec is the number of speculations.
 *
 * @@opts: -xnspec=3
 */
#pragma D option quiet

BEGIN
{
	printf("%d ", speculation());
	printf("%d ", speculation());
	printf("%d ", speculation());
	printf("%d\n", speculation());
	exit(0);
}

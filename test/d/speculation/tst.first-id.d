/*
 * Asserts that the first speculation has the number 1.
 */
#pragma D option quiet

BEGIN
{
	printf("%d\n", speculation());
	exit(0);
}

/*
 * Asserts that an enumerator prints as its number.
 */
#pragma D option quiet

enum color { RED, GREEN, BLUE = 7 };

BEGIN
{
	printf("%d %d\n", GREEN, BLUE);
	exit(0);
}

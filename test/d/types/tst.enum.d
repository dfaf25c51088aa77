/*
 * Enumerators count from 0 or from the value that is given.
 */
#pragma D option quiet

enum color { RED, GREEN, BLUE = 10, VIOLET, WHITE = -3, GREY };

BEGIN
{
	printf("%d %d %d %d %d %d\n", RED, GREEN, BLUE, VIOLET, WHITE, GREY);
	printf("%d\n", sizeof (enum color));
	exit(0);
}

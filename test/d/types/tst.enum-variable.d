/*
 * A variable of an enumeration compares with its enumerators.
 */
#pragma D option quiet

enum color { RED, GREEN, BLUE } c;

BEGIN
{
	c = GREEN;
	printf("%d %d %d\n", c == RED, c == GREEN, c < BLUE);
	exit(0);
}

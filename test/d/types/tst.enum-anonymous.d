/*
 * An enumeration without a name defines its constants.
 */
#pragma D option quiet

enum { FIRST = 5, SECOND };

BEGIN
{
	printf("%d\n", FIRST + SECOND);
	exit(0);
}

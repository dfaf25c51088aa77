/*
 * The four operations and the remainder on constants.
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d %d %d %d\n", 7 + 3, 7 - 10, 7 * -3, 7 / 2, 7 % 4);
	exit(0);
}

/*
 * Decimal integer literals have their value.
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d %d %d\n", 0, 7, 42, 2147483647);
	exit(0);
}

/*
 * strtoll() reads a decimal number with space and sign before it.
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d %d %d\n", strtoll("0"), strtoll("123"), strtoll("-42"), strtoll("  +7"));
	exit(0);
}

/*
 * The smallest 64-bit number divided by -1 does not crash and wraps.
 */
#pragma D option quiet

BEGIN
{
	a = -9223372036854775807 - 1;
	b = -1L;
	printf("%d %d\n", a / b, a % b);
	exit(0);
}

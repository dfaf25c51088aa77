/*
 * A 64-bit shift reaches the sign bit.
 */
#pragma D option quiet

BEGIN
{
	a = 1L;
	printf("%d %d\n", 1L << 63, a << 63);
	exit(0);
}

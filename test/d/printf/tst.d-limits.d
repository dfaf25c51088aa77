/*
 * Asserts that %d prints the limits of 64 bits.
 */
#pragma D option quiet

BEGIN
{
	x = (int64_t)0x7fffffffffffffff;
	y = (int64_t)0x8000000000000000;
	printf("%d %d\n", x, y);
	exit(0);
}

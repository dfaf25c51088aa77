/*
 * Arithmetic on ints is done in 64 bits: what is between two operators is not cut.
 */
#pragma D option quiet

BEGIN
{
	x = 70000;
	printf("%d %d %d\n", x * x / x, 70000 * 70000 / 70000, x * x == 4900000000);
	exit(0);
}

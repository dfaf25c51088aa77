/*
 * The count of a 64-bit shift is taken modulo 64.
 */
#pragma D option quiet

BEGIN
{
	a = 1L;
	n = 64;
	printf("%d %d\n", a << n, a << (n + 1));
	exit(0);
}

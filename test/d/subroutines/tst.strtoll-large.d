/*
 * strtoll() reads 64 bits.
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d\n", strtoll("9223372036854775807"), strtoll("-9223372036854775808"));
	exit(0);
}

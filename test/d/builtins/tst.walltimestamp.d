/*
 * walltimestamp counts nanoseconds since 1970.
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d\n", walltimestamp > 1500000000000000000, walltimestamp < 9000000000000000000);
	exit(0);
}

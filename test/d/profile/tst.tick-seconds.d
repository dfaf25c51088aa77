/*
 * Asserts that tick-1s fires after a second.
 *
 * @@alone
 */
#pragma D option quiet

BEGIN
{
	start = timestamp;
}

tick-1s
{
	printf("%d\n", (timestamp - start) / 1000000000);
	exit(0);
}

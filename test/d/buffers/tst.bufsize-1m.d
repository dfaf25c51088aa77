/*
 * Asserts that a buffer of 1m works.
 *
 * @@opts: -xbufsize=1m
 */
#pragma D option quiet

BEGIN
{
	printf("ok\n");
	exit(0);
}

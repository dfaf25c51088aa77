/*
 * Asserts that a buffer of 100000 works.
 *
 * @@opts: -xbufsize=100000
 */
#pragma D option quiet

BEGIN
{
	printf("ok\n");
	exit(0);
}

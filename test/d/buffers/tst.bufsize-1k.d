/*
 * Asserts that a buffer of 1k works.
 *
 * @@opts: -xbufsize=1k
 */
#pragma D option quiet

BEGIN
{
	printf("ok\n");
	exit(0);
}

/*
 * Asserts that a buffer of 64k works.
 *
 * @@opts: -xbufsize=64k
 */
#pragma D option quiet

BEGIN
{
	printf("ok\n");
	exit(0);
}

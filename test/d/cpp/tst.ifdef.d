/*
 * Asserts that #ifdef leaves text out.
 *
 * @@opts: -C
 */
#pragma D option quiet

#ifdef NOTHERE
this is no D
#endif

BEGIN
{
	printf("ok\n");
	exit(0);
}

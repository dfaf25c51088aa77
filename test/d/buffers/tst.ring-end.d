/*
 * Asserts that a ring buffer is printed when tracing ends.
 *
 * @@opts: -xbufpolicy=ring
 */
#pragma D option quiet

BEGIN
{
	printf("kept\n");
	exit(0);
}

/*
 * Asserts that of - and 0 the later one counts, as in DTrace.
 */
#pragma D option quiet

BEGIN
{
	printf("[%0-5d] [%-05d]\n", 42, 42);
	exit(0);
}

/*
 * Asserts that tick-5000usec fires.
 */
#pragma D option quiet

tick-5000usec
{
	printf("%s\n", probename);
	exit(0);
}

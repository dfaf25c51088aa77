/*
 * Asserts that tick-5000000ns fires.
 */
#pragma D option quiet

tick-5000000ns
{
	printf("%s\n", probename);
	exit(0);
}

/*
 * Asserts that tick-5ms fires.
 */
#pragma D option quiet

tick-5ms
{
	printf("%s\n", probename);
	exit(0);
}

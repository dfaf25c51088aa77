/*
 * Asserts that tick-5000us fires.
 */
#pragma D option quiet

tick-5000us
{
	printf("%s\n", probename);
	exit(0);
}

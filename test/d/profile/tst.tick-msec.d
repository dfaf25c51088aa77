/*
 * Asserts that tick-5msec fires.
 */
#pragma D option quiet

tick-5msec
{
	printf("%s\n", probename);
	exit(0);
}

/*
 * Asserts that tick-100 fires.
 */
#pragma D option quiet

tick-100
{
	printf("%s\n", probename);
	exit(0);
}

/*
 * Asserts that tick-200hz fires.
 */
#pragma D option quiet

tick-200hz
{
	printf("%s\n", probename);
	exit(0);
}

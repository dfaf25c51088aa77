/*
 * Asserts that tick-5000000nsec fires.
 */
#pragma D option quiet

tick-5000000nsec
{
	printf("%s\n", probename);
	exit(0);
}

/*
 * Asserts that profile-N fires.
 *
 * @@stdout: profile-97
 */
#pragma D option quiet

profile-97
{
	printf("%s\n", probename);
	exit(0);
}

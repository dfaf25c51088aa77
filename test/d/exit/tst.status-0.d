/*
 * Asserts that exit(0) ends with status 0.
 */
#pragma D option quiet

BEGIN
{
	exit(0);
}

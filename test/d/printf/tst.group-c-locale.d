/*
 * Asserts that ' is accepted and groups nothing in the C locale.
 */
#pragma D option quiet

BEGIN
{
	printf("%'d\n", 1234567);
	exit(0);
}

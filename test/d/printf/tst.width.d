/*
 * Asserts that the width is a minimum: shorter values are moved right, longer ones are not cut.
 */
#pragma D option quiet

BEGIN
{
	printf("[%6d] [%2d]\n", 42, 12345);
	exit(0);
}

/*
 * Asserts that a negative * width means left-justified.
 */
#pragma D option quiet

BEGIN
{
	printf("[%*d]\n", -7, 42);
	exit(0);
}

/*
 * Asserts that * takes the width from the arguments.
 */
#pragma D option quiet

BEGIN
{
	printf("[%*d]\n", 7, 42);
	exit(0);
}

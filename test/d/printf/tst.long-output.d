/*
 * Asserts that a wide field prints in full.
 */
#pragma D option quiet

BEGIN
{
	printf("[%300d]\n", 1);
	exit(0);
}

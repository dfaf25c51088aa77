/*
 * Asserts that width and precision may both come from the arguments, width first.
 */
#pragma D option quiet

BEGIN
{
	printf("[%*.*s]\n", 6, 2, "abcdef");
	exit(0);
}

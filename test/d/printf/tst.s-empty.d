/*
 * Asserts that %s of an empty string prints nothing.
 */
#pragma D option quiet

BEGIN
{
	printf("[%s]\n", "");
	exit(0);
}

/*
 * A position past the end gives the empty string.
 */
#pragma D option quiet

BEGIN
{
	printf("[%s] [%s]\n", substr("abc", 4), substr("abc", 100, 2));
	exit(0);
}

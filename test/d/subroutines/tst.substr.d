/*
 * substr() from a position to the end.
 */
#pragma D option quiet

BEGIN
{
	printf("[%s] [%s] [%s] [%s]\n", substr("abcdef", 0), substr("abcdef", 2), substr("abcdef", 5), substr("abcdef", 6));
	exit(0);
}

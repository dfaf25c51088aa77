/*
 * substr() of a length.
 */
#pragma D option quiet

BEGIN
{
	printf("[%s] [%s] [%s]\n", substr("abcdef", 1, 3), substr("abcdef", 4, 10), substr("abcdef", 2, 0));
	exit(0);
}

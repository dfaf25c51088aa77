/*
 * A negative position counts from the end.
 */
#pragma D option quiet

BEGIN
{
	printf("[%s] [%s] [%s]\n", substr("abcdef", -2), substr("abcdef", -4, 2), substr("abcdef", -6, 1));
	exit(0);
}

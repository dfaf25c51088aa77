/*
 * A negative length leaves off that many at the end.
 */
#pragma D option quiet

BEGIN
{
	printf("[%s] [%s] [%s]\n", substr("abcdef", 1, -2), substr("abcdef", 0, -5), substr("abcdef", 3, -3));
	exit(0);
}

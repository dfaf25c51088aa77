/*
 * A negative position before the beginning keeps what still falls inside.
 */
#pragma D option quiet

BEGIN
{
	printf("[%s] [%s] [%s]\n", substr("abcdef", -8), substr("abcdef", -8, 3), substr("abcdef", -8, 2));
	exit(0);
}

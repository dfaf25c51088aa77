/*
 * Position and length may both be negative.
 */
#pragma D option quiet

BEGIN
{
	printf("[%s] [%s]\n", substr("abcdef", -4, -1), substr("abcdef", -2, -5));
	exit(0);
}

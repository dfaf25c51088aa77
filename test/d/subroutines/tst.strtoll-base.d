/*
 * strtoll() of a base, with 0x for 16.
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d %d %d %d\n", strtoll("ff", 16), strtoll("0xFF", 16), strtoll("777", 8), strtoll("101", 2), strtoll("zz", 36));
	exit(0);
}

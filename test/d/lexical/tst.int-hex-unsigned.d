/*
 * A hexadecimal literal that does not fit int is unsigned, so it compares as a large number.
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d\n", 0xffffffff > 0, 0xffffffffffffffff > 0);
	exit(0);
}

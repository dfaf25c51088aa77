/*
 * An array has fewer than 2^32 elements.
 */
#pragma D option quiet

char a[0x100000000];
BEGIN
{
	exit(0);
}

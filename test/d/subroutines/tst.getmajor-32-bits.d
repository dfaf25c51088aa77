/*
 * getmajor() looks at the lower 32 bits of its argument only.
 */
#pragma D option quiet

BEGIN
{
	printf("%d\n", getmajor(0x1234567890));
	exit(0);
}

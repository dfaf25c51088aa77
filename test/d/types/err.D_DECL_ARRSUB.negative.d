/*
 * An array has no negative number of elements.
 */
#pragma D option quiet

int a[-5];
BEGIN
{
	exit(0);
}

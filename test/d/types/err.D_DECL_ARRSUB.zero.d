/*
 * An array has at least one element.
 */
#pragma D option quiet

int a[0];
BEGIN
{
	exit(0);
}

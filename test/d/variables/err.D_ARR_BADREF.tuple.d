/*
 * An array has one index.
 */
#pragma D option quiet

int a[5];
BEGIN
{
	trace(a[1, 2]);
}

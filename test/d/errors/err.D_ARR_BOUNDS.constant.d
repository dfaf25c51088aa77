/*
 * A constant index outside of an array is refused.
 */
#pragma D option quiet

int a[5];
BEGIN
{
	trace(a[5]);
}

/*
 * An associative array has always the same number of keys.
 */
#pragma D option quiet

BEGIN
{
	a[1, 2] = 3;
	trace(a[1]);
}

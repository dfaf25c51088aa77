/*
 * An associative array needs its key.
 */
#pragma D option quiet

BEGIN
{
	a[1] = 2;
	trace(a);
}

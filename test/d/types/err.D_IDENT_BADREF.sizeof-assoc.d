/*
 * An associative array as a whole has no size.
 */
#pragma D option quiet

BEGIN
{
	a[1] = 2;
	trace(sizeof (a));
}

/*
 * An associative array has always the same types of keys.
 */
#pragma D option quiet

BEGIN
{
	a["x"] = 3;
	trace(a[1]);
}

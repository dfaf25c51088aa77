/*
 * A closing bracket too many is an error.
 */
#pragma D option quiet

BEGIN
{
	a[1]] = 2;
}

/*
 * A declared associative array has the declared types of keys.
 */
#pragma D option quiet

int a[int, string];
BEGIN
{
	a["x", 1] = 3;
}

/*
 * The key of an associative array has a fixed number of parts.
 */
#pragma D option quiet

int a[int, ...];
BEGIN
{
	exit(0);
}

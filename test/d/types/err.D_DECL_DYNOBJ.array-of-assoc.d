/*
 * There are no arrays of associative arrays.
 */
#pragma D option quiet

int a[5][string];
BEGIN
{
	exit(0);
}

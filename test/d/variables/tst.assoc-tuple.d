/*
 * An associative array by a tuple of several types.
 */
#pragma D option quiet

BEGIN
{
	a[1, "x", 'c'] = 1;
	a[1, "y", 'c'] = 2;
	a[2, "x", 'c'] = 3;
	printf("%d %d %d %d\n", a[1, "x", 'c'], a[1, "y", 'c'], a[2, "x", 'c'], a[2, "y", 'c']);
	exit(0);
}

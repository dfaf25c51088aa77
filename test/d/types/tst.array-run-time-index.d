/*
 * The index of an array may be known at run time only.
 */
#pragma D option quiet

int a[4];

BEGIN
{
	i = 3;
	a[i] = 9;
	a[i - 1] = 8;
	printf("%d %d\n", a[2], a[3]);
	exit(0);
}

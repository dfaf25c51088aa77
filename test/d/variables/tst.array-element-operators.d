/*
 * All assignments and ++ work on an element of an array.
 */
#pragma D option quiet

int a[3];

BEGIN
{
	a[1] = 10;
	a[1] -= 4;
	a[1] <<= 2;
	printf("%d ", a[1]++);
	printf("%d ", --a[1]);
	printf("%d %d\n", a[0], a[1]);
	exit(0);
}

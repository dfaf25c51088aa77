/*
 * A key may be any expression, another element too.
 */
#pragma D option quiet

BEGIN
{
	a[1] = 2;
	a[2] = 3;
	a[3] = 4;
	printf("%d %d\n", a[a[a[1]]], a[1 + 1]);
	exit(0);
}

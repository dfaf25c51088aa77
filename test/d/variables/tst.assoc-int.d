/*
 * An associative array by integers.
 */
#pragma D option quiet

BEGIN
{
	a[1] = 10;
	a[-1] = 20;
	a[1000000] = 30;
	printf("%d %d %d %d\n", a[1], a[-1], a[1000000], a[2]);
	exit(0);
}

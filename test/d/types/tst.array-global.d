/*
 * A declared array keeps its elements apart.
 */
#pragma D option quiet

int a[5];

BEGIN
{
	a[0] = 1;
	a[4] = 5;
	a[2] += 3;
	a[4]++;
	printf("%d %d %d %d %d\n", a[0], a[1], a[2], a[4], sizeof (a));
	exit(0);
}

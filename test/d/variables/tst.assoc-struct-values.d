/*
 * The values of an associative array may be structures.
 */
#pragma D option quiet

struct point {
	int p_x;
	int p_y;
};
struct point a[int];

BEGIN
{
	a[1].p_x = 3;
	a[1].p_y = 4;
	a[2].p_x = 5;
	printf("%d %d %d %d\n", a[1].p_x, a[1].p_y, a[2].p_x, a[2].p_y);
	exit(0);
}

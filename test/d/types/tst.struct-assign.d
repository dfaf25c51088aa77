/*
 * A structure is assigned by value.
 */
#pragma D option quiet

struct point {
	int p_x;
	int p_y;
} a;
struct point b;

BEGIN
{
	a.p_x = 1;
	a.p_y = 2;
	b = a;
	a.p_x = 9;
	printf("%d %d\n", b.p_x, b.p_y);
	exit(0);
}

/*
 * Members of a structure variable keep their values apart.
 */
#pragma D option quiet

struct point {
	int p_x;
	int p_y;
} pt;

BEGIN
{
	pt.p_x = 3;
	pt.p_y = -4;
	printf("%d %d\n", pt.p_x, pt.p_y);
	exit(0);
}

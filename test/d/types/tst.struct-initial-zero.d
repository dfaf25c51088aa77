/*
 * The members of a structure variable are 0 before the first assignment.
 */
#pragma D option quiet

struct point {
	int p_x;
	int p_y;
} pt;

BEGIN
{
	pt.p_y = 1;
	printf("%d %d\n", pt.p_x, pt.p_y);
	exit(0);
}

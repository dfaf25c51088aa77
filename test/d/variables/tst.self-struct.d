/*
 * A thread-local variable may be a structure.
 */
#pragma D option quiet

struct point {
	int p_x;
	int p_y;
};
self struct point pt;

BEGIN
{
	self->pt.p_x = 3;
	self->pt.p_y = 4;
	self->pt.p_x++;
	printf("%d %d\n", self->pt.p_x, self->pt.p_y);
	exit(0);
}

/*
 * The address of a member of one's own memory can be taken.
 */
#pragma D option quiet

struct point {
	int p_x;
	int p_y;
};

BEGIN
{
	p = (struct point *)alloca(sizeof (struct point));
	y = &p->p_y;
	*y = 7;
	printf("%d %d\n", p->p_y, (uintptr_t)y - (uintptr_t)p);
	exit(0);
}

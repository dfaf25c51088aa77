/*
 * Members are reached through a pointer to memory of one's own.
 */
#pragma D option quiet

struct point {
	int p_x;
	int p_y;
};

BEGIN
{
	p = (struct point *)alloca(sizeof (struct point));
	p->p_x = 5;
	p->p_y = 6;
	printf("%d %d %d\n", p->p_x, (*p).p_y, sizeof (*p));
	exit(0);
}

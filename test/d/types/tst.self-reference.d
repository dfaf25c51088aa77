/*
 * A structure may point to itself.
 */
#pragma D option quiet

struct node {
	int n_v;
	struct node *n_next;
};

BEGIN
{
	p = (struct node *)alloca(2 * sizeof (struct node));
	p->n_v = 1;
	p->n_next = p + 1;
	p->n_next->n_v = 2;
	printf("%d %d %d\n", p->n_v, p->n_next->n_v, sizeof (struct node));
	exit(0);
}

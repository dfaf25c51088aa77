/*
 * A structure may be declared first and defined later.
 */
#pragma D option quiet

struct later;
struct first {
	struct later *f_p;
};
struct later {
	int l_v;
};

BEGIN
{
	f = (struct first *)alloca(sizeof (struct first));
	f->f_p = (struct later *)alloca(sizeof (struct later));
	f->f_p->l_v = 3;
	printf("%d\n", f->f_p->l_v);
	exit(0);
}

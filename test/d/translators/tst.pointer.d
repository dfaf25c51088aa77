/*
 * xlate to a pointer is used with ->.
 */
#pragma D option quiet

struct in {
	int i_a;
};
struct out {
	int o_a;
};
translator struct out < struct in *p > {
	o_a = p->i_a + 1;
};

BEGIN
{
	v = (struct in *)alloca(sizeof (struct in));
	v->i_a = 3;
	printf("%d\n", xlate <struct out *> (v)->o_a);
	exit(0);
}

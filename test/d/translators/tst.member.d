/*
 * xlate gives the members of its translator.
 */
#pragma D option quiet

struct in {
	int i_a;
	int i_b;
};
struct out {
	int o_sum;
	int o_twice;
};
translator struct out < struct in *p > {
	o_sum = p->i_a + p->i_b;
	o_twice = p->i_a * 2;
};

BEGIN
{
	v = (struct in *)alloca(sizeof (struct in));
	v->i_a = 3;
	v->i_b = 4;
	printf("%d %d\n", xlate <struct out> (v).o_sum, xlate <struct out> (v).o_twice);
	exit(0);
}

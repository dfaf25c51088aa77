/*
 * One type may have translators from several types.
 */
#pragma D option quiet

struct out {
	int o_a;
};
struct in1 {
	int i_a;
};
struct in2 {
	int i_a;
};
translator struct out < struct in1 *p > {
	o_a = 1;
};
translator struct out < struct in2 *p > {
	o_a = 2;
};

BEGIN
{
	a = (struct in1 *)NULL;
	b = (struct in2 *)NULL;
	printf("%d %d\n", xlate <struct out> (a).o_a, xlate <struct out> (b).o_a);
	exit(0);
}

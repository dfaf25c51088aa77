/*
 * Members of members can be set and read.
 */
#pragma D option quiet

struct in {
	int i_a;
	int i_b;
};
struct out {
	int o_x;
	struct in o_in;
} v;

BEGIN
{
	v.o_x = 1;
	v.o_in.i_a = 2;
	v.o_in.i_b = 3;
	printf("%d %d %d\n", v.o_x, v.o_in.i_a, v.o_in.i_b);
	exit(0);
}

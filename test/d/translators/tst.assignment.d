/*
 * Assigning a translated structure fills members without a definition with zeroes.
 */
#pragma D option quiet

struct out {
	int o_a;
	int o_b;
};
struct out v;
translator struct out < int n > {
	o_a = n;
};

BEGIN
{
	v.o_b = 9;
	v = xlate <struct out> (4);
	printf("%d %d\n", v.o_a, v.o_b);
	exit(0);
}

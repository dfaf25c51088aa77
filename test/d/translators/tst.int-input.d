/*
 * The input of a translator may be a number.
 */
#pragma D option quiet

struct out {
	int o_a;
	int o_b;
};
translator struct out < int n > {
	o_a = n + 1;
	o_b = n * n;
};

BEGIN
{
	x = 5;
	printf("%d %d %d\n", xlate <struct out> (x).o_a, xlate <struct out> (x).o_b, xlate <struct out> (7).o_b);
	exit(0);
}

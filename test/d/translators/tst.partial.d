/*
 * A translator need not define all members.
 */
#pragma D option quiet

struct out {
	int o_a;
	int o_b;
};
translator struct out < int n > {
	o_b = n;
};

BEGIN
{
	printf("%d\n", xlate <struct out> (4).o_b);
	exit(0);
}

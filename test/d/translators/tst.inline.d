/*
 * An inline may give a translated structure.
 */
#pragma D option quiet

struct out {
	int o_a;
};
translator struct out < int n > {
	o_a = n + 1;
};
inline struct out result = xlate <struct out> (9);

BEGIN
{
	printf("%d\n", result.o_a);
	exit(0);
}

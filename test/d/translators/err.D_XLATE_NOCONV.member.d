/*
 * A member without a definition can't be read.
 */
#pragma D option quiet

struct out {
	int o_a;
	int o_b;
};
translator struct out < int n > {
	o_a = n;
};
BEGIN
{
	trace(xlate <struct out> (1).o_b);
}

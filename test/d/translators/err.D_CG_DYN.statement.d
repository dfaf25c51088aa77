/*
 * A translated structure alone is no statement.
 */
#pragma D option quiet

struct out {
	int o_a;
};
translator struct out < int n > {
	o_a = n;
};
BEGIN
{
	xlate <struct out> (1);
}

/*
 * xlate needs a translator.
 */
#pragma D option quiet

struct out {
	int o_a;
};
BEGIN
{
	trace(xlate <struct out> (1).o_a);
}

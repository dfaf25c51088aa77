/*
 * A translator reads members of its input that exist.
 */
#pragma D option quiet

struct in {
	int i_a;
};
struct out {
	int o_a;
};
translator struct out < struct in *p > {
	o_a = p->i_nosuch;
};
BEGIN
{
	exit(0);
}

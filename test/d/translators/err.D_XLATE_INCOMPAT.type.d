/*
 * A definition fits the type of its member.
 */
#pragma D option quiet

struct out {
	int o_a;
};
translator struct out < int n > {
	o_a = "string";
};
BEGIN
{
	exit(0);
}

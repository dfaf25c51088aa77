/*
 * A translator defines members of its structure only.
 */
#pragma D option quiet

struct out {
	int o_a;
};
translator struct out < int n > {
	o_nosuch = n;
};
BEGIN
{
	exit(0);
}

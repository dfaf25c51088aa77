/*
 * A translator names its input.
 */
#pragma D option quiet

struct out {
	int o_a;
};
translator struct out < int > {
	o_a = 1;
};
BEGIN
{
	exit(0);
}

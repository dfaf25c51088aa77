/*
 * One pair of types has one translator.
 */
#pragma D option quiet

struct out {
	int o_a;
};
translator struct out < int n > {
	o_a = n;
};
translator struct out < int m > {
	o_a = m;
};
BEGIN
{
	exit(0);
}

/*
 * An unsigned bit-field keeps as many bits as it has.
 */
#pragma D option quiet

struct b {
	unsigned b_a : 3;
	unsigned b_b : 5;
	unsigned b_c : 8;
} v;

BEGIN
{
	v.b_a = 5;
	v.b_b = 31;
	v.b_c = 511;
	printf("%d %d %d\n", v.b_a, v.b_b, v.b_c);
	exit(0);
}

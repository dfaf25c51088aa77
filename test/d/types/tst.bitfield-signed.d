/*
 * A signed bit-field is read with its sign.
 */
#pragma D option quiet

struct b {
	int b_a : 3;
	int b_b : 5;
} v;

BEGIN
{
	v.b_a = 7;
	v.b_b = 15;
	printf("%d %d\n", v.b_a, v.b_b);
	exit(0);
}

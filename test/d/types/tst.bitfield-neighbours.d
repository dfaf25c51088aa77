/*
 * A store to a bit-field leaves its neighbours alone.
 */
#pragma D option quiet

struct b {
	unsigned b_a : 4;
	unsigned b_b : 4;
	unsigned b_c : 4;
} v;

BEGIN
{
	v.b_a = 1;
	v.b_b = 2;
	v.b_c = 3;
	v.b_b = 15;
	v.b_b++;
	printf("%d %d %d\n", v.b_a, v.b_b, v.b_c);
	exit(0);
}

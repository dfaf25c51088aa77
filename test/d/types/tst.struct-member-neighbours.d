/*
 * A store to one member leaves its neighbours alone.
 */
#pragma D option quiet

struct n {
	char n_a;
	char n_b;
	char n_c;
} v;

BEGIN
{
	v.n_a = 1;
	v.n_b = 2;
	v.n_c = 3;
	v.n_b = 0x7f;
	printf("%d %d %d\n", v.n_a, v.n_b, v.n_c);
	exit(0);
}

/*
 * All assignments and ++ work on a member.
 */
#pragma D option quiet

struct s {
	short s_a;
	short s_b;
} v;

BEGIN
{
	v.s_a = 10;
	v.s_a *= 3;
	v.s_a |= 1;
	printf("%d ", v.s_a++);
	printf("%d ", --v.s_a);
	printf("%d %d\n", v.s_a, v.s_b);
	exit(0);
}

/*
 * Pointers to different types do not compare.
 */
#pragma D option quiet

struct s1 {
	int a;
};
struct s2 {
	int a;
};
BEGIN
{
	p = (struct s1 *)0;
	q = (struct s2 *)0;
	trace(p == q);
}

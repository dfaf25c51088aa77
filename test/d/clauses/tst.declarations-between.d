/*
 * Declarations may stand between clauses.
 */
#pragma D option quiet

BEGIN
{
	x = 1;
}

int y;
inline int two = 2;
struct s {
	int s_a;
};
struct s v;

BEGIN
{
	y = x + two;
	v.s_a = y;
	printf("%d\n", v.s_a);
	exit(0);
}

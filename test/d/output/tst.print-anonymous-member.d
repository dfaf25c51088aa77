/*
 * print() shows a member without a name as it is declared: union { ... }.
 */
#pragma D option quiet

struct s {
	int x;
	union {
		int u;
		int v;
	};
} s;

BEGIN
{
	s.x = 1;
	print(s);
	exit(0);
}

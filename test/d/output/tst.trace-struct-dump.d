/*
 * trace() of a struct is a dump, also when its bytes could be text.
 */
#pragma D option quiet

struct s {
	char a, b, c;
};
struct s v;

BEGIN
{
	v.a = 'a';
	v.b = 'b';
	trace(v);
	exit(0);
}

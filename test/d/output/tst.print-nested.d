/*
 * Asserts that print() indents structures in structures.
 */
#pragma D option quiet

struct inner { int x; };
struct outer { struct inner i; char c; } o;

BEGIN
{
	o.i.x = 3;
	print(o);
	exit(0);
}

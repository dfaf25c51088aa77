/*
 * trace() of a struct of 1, 2, 4 or 8 bytes is a number.
 */
#pragma D option quiet

struct s1 {
	char a;
} v1;
struct s2 {
	short a;
} v2;
struct s4 {
	int a;
} v4;
struct s8 {
	int a, b;
} v8;

BEGIN
{
	v1.a = 65;
	v2.a = 300;
	v4.a = -70000;
	v8.a = 1;
	v8.b = 1;
	trace(v1);
	trace(" ");
	trace(v2);
	trace(" ");
	trace(v4);
	trace(" ");
	trace(v8);
	trace("\n");
	exit(0);
}

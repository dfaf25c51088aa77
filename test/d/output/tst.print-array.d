/*
 * Asserts that print() shows the elements of an array.
 */
#pragma D option quiet

struct s { int a[3]; } s;

BEGIN
{
	s.a[1] = 5;
	print(s);
	exit(0);
}

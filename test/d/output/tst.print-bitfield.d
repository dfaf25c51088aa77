/*
 * Asserts that print() shows bit-fields with their width.
 */
#pragma D option quiet

struct s { unsigned int a : 3; unsigned int b : 5; } s;

BEGIN
{
	s.b = 5;
	print(s);
	exit(0);
}

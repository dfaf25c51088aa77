/*
 * Asserts that print() shows an array of printable characters as text.
 */
#pragma D option quiet

struct s { char a[4]; } s;

BEGIN
{
	s.a[0] = 'h';
	s.a[1] = 'i';
	print(s);
	exit(0);
}

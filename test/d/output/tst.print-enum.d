/*
 * Asserts that print() shows an enumerator by its name.
 */
#pragma D option quiet

enum e { ONE = 1, TWO };
struct s { enum e e; } s;

BEGIN
{
	s.e = TWO;
	print(s);
	exit(0);
}

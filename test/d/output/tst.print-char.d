/*
 * Asserts that print() shows a char as a character.
 */
#pragma D option quiet

struct s { char c; } s;

BEGIN
{
	s.c = 'x';
	print(s);
	exit(0);
}

/*
 * Asserts that print() shows a structure member by member.
 */
#pragma D option quiet

struct s { int a; uint64_t b; } s;

BEGIN
{
	s.a = 1;
	s.b = 0x10;
	print(s);
	exit(0);
}

/*
 * Asserts that print() shows a pointer in hexadecimal.
 */
#pragma D option quiet

struct s { void *p; } s;

BEGIN
{
	s.p = (void *)0x1234;
	print(s);
	exit(0);
}

/*
 * Asserts that print() shows all members of a union.
 */
#pragma D option quiet

union u { int a; unsigned int b; } u;

BEGIN
{
	u.a = 7;
	print(u);
	exit(0);
}

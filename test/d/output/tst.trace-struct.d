/*
 * Asserts that trace() of a structure shows its bytes.
 *
 * @@stdout: 0: 04 03 02 01 00 00 00 00 00 00 00 00
 */
#pragma D option quiet

struct s { int a; int b; int c; } s;

BEGIN
{
	s.a = 0x01020304;
	trace(s);
	exit(0);
}

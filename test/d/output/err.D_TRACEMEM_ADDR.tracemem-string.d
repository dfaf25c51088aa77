/*
 * Asserts that a program is refused when the address of tracemem() is no pointer.
 */

BEGIN
{
	tracemem("x", 4);
	exit(0);
}

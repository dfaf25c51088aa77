/*
 * Asserts that a program is refused when the size of tracemem() is no constant.
 */

BEGIN
{
	x = 4;
	tracemem((void *)0, x);
	exit(0);
}

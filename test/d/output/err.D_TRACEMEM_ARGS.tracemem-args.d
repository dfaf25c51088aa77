/*
 * Asserts that a program is refused when tracemem() has too many arguments.
 */

BEGIN
{
	tracemem((void *)0, 4, 4, 4);
	exit(0);
}

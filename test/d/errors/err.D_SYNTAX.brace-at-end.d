/*
 * Asserts that a clause without its last brace is told so, with the line where it began.
 *
 * @@stderr: expected '}' before end of the program
 * @@stderr: the clause's { is in line 9
 */

BEGIN
{
	exit(0);

/*
 * Asserts that a variable that is used before it has a type is not suggested for itself.
 *
 * @@stderr: assign to it in an earlier clause, or declare it
 */

BEGIN
{
	x = x + 1;
}

/*
 * Asserts that a word given as $1, which D takes for a name, is answered with the way to have it as a string.
 *
 * @@args: foo
 * @@stderr: $$1 is the argument as a string
 */

BEGIN
{
	trace($1);
}

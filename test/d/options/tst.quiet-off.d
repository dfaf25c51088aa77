/*
 * Asserts that a flag can be switched off.
 *
 * @@opts: -x quiet=off
 * @@stdout: FUNCTION:NAME
 */

BEGIN
{
	exit(0);
}

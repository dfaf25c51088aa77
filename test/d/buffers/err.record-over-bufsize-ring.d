/*
 * Asserts that a clause whose record is larger than bufsize is refused before anything is traced, with bufpolicy ring too.
 *
 * @@stderr: Enabling exceeds size of buffer
 */

#pragma D option bufpolicy=ring
#pragma D option bufsize=1k

BEGIN
{
	trace("a");
	trace("b");
	trace("c");
	trace("d");
	exit(0);
}

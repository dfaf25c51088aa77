/*
 * Asserts that a clause whose record cannot fit a buffer that is filled once is refused before anything is traced.
 */

#pragma D option bufpolicy=fill
#pragma D option bufsize=1k

BEGIN
{
	trace("a");
	trace("b");
	trace("c");
	trace("d");
	exit(0);
}

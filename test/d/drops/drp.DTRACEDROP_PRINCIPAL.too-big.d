/*
 * Asserts that a record that does not fit the buffer is dropped and reported.
 */

#pragma D option quiet
#pragma D option bufsize=1k

BEGIN
{
	trace("a");
	trace("b");
	trace("c");
	trace("d");
	trace("e");
	trace("f");
}

BEGIN
{
	exit(0);
}

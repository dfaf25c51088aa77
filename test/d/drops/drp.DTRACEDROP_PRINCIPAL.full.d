/*
 * Asserts that a record that finds no room left in the buffer is dropped and reported.
 */

#pragma D option quiet
#pragma D option bufsize=1k

BEGIN,
BEGIN
{
	trace("a");
	trace("b");
	trace("c");
}

BEGIN
{
	exit(0);
}

/*
 * Asserts that data that does not fit a speculation is dropped and reported.
 */

#pragma D option quiet
#pragma D option specsize=512

BEGIN
{
	s = speculation();
}

BEGIN
{
	speculate(s);
	trace("a");
	trace("b");
	trace("c");
	trace("d");
}

BEGIN
{
	commit(s);
}

BEGIN
{
	exit(0);
}

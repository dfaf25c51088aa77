/*
 * A function takes no more arguments than it has.
 */
#pragma D option quiet

BEGIN
{
	trace(strlen("a", "b"));
}

/*
 * args[] has no negative index.
 */
#pragma D option quiet

BEGIN
{
	trace(args[-1]);
}

/*
 * args[] has one index.
 */
#pragma D option quiet

BEGIN
{
	trace(args[0, 1]);
}

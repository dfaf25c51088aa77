/*
 * args[] of a probe without arguments has no element.
 */
#pragma D option quiet

BEGIN
{
	trace(args[0]);
}

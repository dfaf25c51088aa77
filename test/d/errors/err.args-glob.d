/*
 * args[] has no meaning when a description matches several probes.
 */
#pragma D option quiet

dtrace:::
{
	trace(args[0]);
}

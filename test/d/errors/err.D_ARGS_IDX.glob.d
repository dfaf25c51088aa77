/*
 * The probes of dtrace have no args[], however many of them a description matches.
 */
#pragma D option quiet

dtrace:::
{
	trace(args[0]);
}

/*
 * A provider that does not exist matches no probe.
 */
#pragma D option quiet

nosuchprovider:::BEGIN
{
	exit(0);
}

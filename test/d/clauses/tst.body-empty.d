/*
 * A clause with an empty body records that the probe fired and prints nothing when quiet.
 */
#pragma D option quiet

BEGIN
{
}

BEGIN
{
	exit(0);
}

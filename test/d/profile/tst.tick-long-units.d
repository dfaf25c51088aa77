/*
 * Asserts that long units are accepted.
 */
#pragma D option quiet

tick-1m, tick-1min, tick-1h, tick-1hour, tick-1d, tick-1day, tick-2sec
{
}

BEGIN
{
	exit(0);
}

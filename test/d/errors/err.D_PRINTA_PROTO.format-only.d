/*
 * printa() with a format needs an aggregation.
 */
#pragma D option quiet

BEGIN
{
	printa("%@d\n");
}

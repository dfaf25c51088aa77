/*
 * printa() takes an aggregation.
 */
#pragma D option quiet

BEGIN
{
	printa(1);
}

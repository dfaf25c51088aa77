/*
 * ~ needs an integer.
 */
#pragma D option quiet

BEGIN
{
	trace(~"a");
}

/*
 * % needs integers.
 */
#pragma D option quiet

BEGIN
{
	trace("a" % 2);
}

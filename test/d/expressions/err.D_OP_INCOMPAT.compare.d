/*
 * A string does not compare with a number.
 */
#pragma D option quiet

BEGIN
{
	trace("a" == 1);
}

/*
 * Strings are not joined by +.
 */
#pragma D option quiet

BEGIN
{
	trace("a" + "b");
}

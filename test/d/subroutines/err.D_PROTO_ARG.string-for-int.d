/*
 * A string is no number.
 */
#pragma D option quiet

BEGIN
{
	trace(substr("abc", "1"));
}

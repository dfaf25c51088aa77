/*
 * strchr() looks for a character, not for a string.
 */
#pragma D option quiet

BEGIN
{
	trace(strchr("abc", "b"));
}

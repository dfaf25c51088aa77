/*
 * A character literal holds at most eight characters.
 */
#pragma D option quiet

BEGIN
{
	trace('abcdefghi');
	exit(0);
}

/*
 * A character literal may not run over the end of a line.
 */
#pragma D option quiet

BEGIN
{
	trace('a
	');
	exit(0);
}

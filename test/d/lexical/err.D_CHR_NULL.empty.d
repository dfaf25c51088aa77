/*
 * A character literal may not be empty.
 */
#pragma D option quiet

BEGIN
{
	trace('');
	exit(0);
}

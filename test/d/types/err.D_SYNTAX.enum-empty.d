/*
 * An enumeration has at least one enumerator.
 */
#pragma D option quiet

enum e { };
BEGIN
{
	exit(0);
}

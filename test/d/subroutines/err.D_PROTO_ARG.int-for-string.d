/*
 * A number is no string.
 */
#pragma D option quiet

BEGIN
{
	trace(strlen(5));
}

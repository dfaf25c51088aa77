/*
 * Arguments that are not optional are needed.
 */
#pragma D option quiet

BEGIN
{
	trace(substr("abc"));
}

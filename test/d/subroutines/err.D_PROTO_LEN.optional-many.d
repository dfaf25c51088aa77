/*
 * An optional argument comes once.
 */
#pragma D option quiet

BEGIN
{
	trace(substr("abc", 1, 2, 3));
}

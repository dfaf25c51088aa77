/*
 * The arms of ?: have compatible types.
 */
#pragma D option quiet

BEGIN
{
	trace(pid ? "a" : 1);
}

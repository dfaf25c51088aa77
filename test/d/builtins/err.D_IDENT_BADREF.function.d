/*
 * A function is no variable.
 */
#pragma D option quiet

BEGIN
{
	trace(strlen);
}

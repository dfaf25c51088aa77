/*
 * A remainder of a constant by the constant zero is refused.
 */
#pragma D option quiet

BEGIN
{
	trace(5 % (1 - 1));
}

/*
 * A constant divided by the constant zero is refused.
 */
#pragma D option quiet

BEGIN
{
	trace(5 / 0);
}

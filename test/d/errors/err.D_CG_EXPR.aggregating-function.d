/*
 * An aggregating function is no expression.
 */
#pragma D option quiet

BEGIN
{
	count();
}

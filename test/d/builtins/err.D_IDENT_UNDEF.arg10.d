/*
 * There are ten argN variables.
 */
#pragma D option quiet

BEGIN
{
	trace(arg10);
}

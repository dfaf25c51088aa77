/*
 * There is nothing to trace in a void expression.
 */
#pragma D option quiet

BEGIN
{
	trace((void)1);
}

/*
 * Actions do not stand in a comma expression.
 */
#pragma D option quiet

BEGIN
{
	trace(1), trace(2);
}

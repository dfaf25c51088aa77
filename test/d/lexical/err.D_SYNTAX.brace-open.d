/*
 * A clause must be closed.
 */
#pragma D option quiet

BEGIN
{
	trace(1);

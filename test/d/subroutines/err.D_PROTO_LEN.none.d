/*
 * A function needs all its arguments.
 */
#pragma D option quiet

BEGIN
{
	trace(strlen());
}

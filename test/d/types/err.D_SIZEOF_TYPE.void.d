/*
 * void has no size.
 */
#pragma D option quiet

BEGIN
{
	trace(sizeof (void));
}

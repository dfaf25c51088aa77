/*
 * A structure that is only declared has no size.
 */
#pragma D option quiet

struct onlydeclared;
BEGIN
{
	trace(sizeof (struct onlydeclared));
}

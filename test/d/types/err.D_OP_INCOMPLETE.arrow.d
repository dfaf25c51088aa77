/*
 * A structure that is only declared has no members.
 */
#pragma D option quiet

struct unknown;
struct unknown *p;
BEGIN
{
	trace(p->anything);
}

/*
 * A variable that was never assigned can't be read.
 */
#pragma D option quiet

BEGIN
{
	trace(never_assigned);
}

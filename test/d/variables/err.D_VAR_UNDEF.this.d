/*
 * A clause-local variable that is never assigned can't be read.
 */
#pragma D option quiet

BEGIN
{
	trace(this->never);
}

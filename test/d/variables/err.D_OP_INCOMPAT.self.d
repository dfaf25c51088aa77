/*
 * A thread-local variable keeps its type.
 */
#pragma D option quiet

BEGIN
{
	self->x = "a";
	self->x = 1;
}

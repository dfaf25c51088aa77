/*
 * A thread-local variable of one thread is not seen on another.
 */
#pragma D option quiet

BEGIN
{
	self->x = 5;
}

tick-10ms
{
	printf("%d\n", self->x);
	exit(0);
}

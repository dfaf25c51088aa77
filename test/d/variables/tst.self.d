/*
 * A thread-local variable keeps its value from firing to firing on its thread.
 */
#pragma D option quiet

BEGIN
{
	self->x = 4;
}

BEGIN
{
	self->x++;
}

BEGIN
{
	printf("%d\n", self->x);
	exit(0);
}

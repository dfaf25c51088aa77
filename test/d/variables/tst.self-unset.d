/*
 * A thread-local variable that is not set is 0, and so is one that was freed.
 */
#pragma D option quiet

self int x;
self string s;

BEGIN
{
	printf("%d [%s] ", self->x, self->s);
	self->x = 3;
	self->x = 0;
	self->s = "a";
	self->s = 0;
	printf("%d [%s]\n", self->x, self->s);
	exit(0);
}

/*
 * A thread-local variable that is not set is 0 or NULL, and so is one that was freed.
 */
#pragma D option quiet

self int x;
self string s;

BEGIN
{
	printf("%d %d ", self->x, self->s == NULL);
	self->x = 3;
	self->x = 0;
	self->s = "a";
	self->s = 0;
	printf("%d %d\n", self->x, self->s == NULL);
	exit(0);
}

/*
 * All assignments and ++ work on a thread-local variable.
 */
#pragma D option quiet

BEGIN
{
	self->x = 10;
	self->x += 5;
	self->x <<= 1;
	self->x ^= 1;
	printf("%d ", self->x--);
	printf("%d ", ++self->x);
	printf("%d\n", self->x);
	exit(0);
}

/*
 * One name may be a global, a thread-local and a clause-local variable.
 */
#pragma D option quiet

BEGIN
{
	x = 1;
	self->x = 2;
	this->x = 3;
	printf("%d %d %d\n", x, self->x, this->x);
	exit(0);
}

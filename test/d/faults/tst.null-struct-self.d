/*
 * A struct read through a NULL pointer into a thread-local variable faults: it does not free the variable.
 */
#pragma D option quiet

struct s {
	int a, b;
};
struct s g, a[int];
self struct s t;

BEGIN
{
	p = (struct s *)NULL;
	self->t = *p;
	printf("not reached\n");
	exit(1);
}

ERROR
{
	printf("fault %d at 0x%x\n", arg4, arg5);
	exit(0);
}

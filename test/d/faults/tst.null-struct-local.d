/*
 * A struct read through a NULL pointer into a clause-local variable faults.
 */
#pragma D option quiet

struct s {
	int a, b;
};
struct s g, a[int];
self struct s t;
this struct s l;

BEGIN
{
	p = (struct s *)NULL;
	this->l = *p;
	printf("not reached\n");
	exit(1);
}

ERROR
{
	printf("fault %d at 0x%x\n", arg4, arg5);
	exit(0);
}

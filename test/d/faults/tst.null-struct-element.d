/*
 * A struct read through a NULL pointer into an element of an associative array faults.
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
	a[1] = *p;
	printf("not reached\n");
	exit(1);
}

ERROR
{
	printf("fault %d at 0x%x\n", arg4, arg5);
	exit(0);
}

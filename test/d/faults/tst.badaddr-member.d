/*
 * A member behind a NULL pointer is fault 1 with the address of the member.
 */
#pragma D option quiet

struct s {
	long s_a;
	int s_b;
};

BEGIN
{
	p = (struct s *)NULL;
	trace(p->s_b);
}

ERROR
{
	printf("%d %d\n", arg4, arg5);
	exit(0);
}

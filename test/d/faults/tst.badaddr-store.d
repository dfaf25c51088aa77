/*
 * A store outside of one's own memory is fault 1.
 */
#pragma D option quiet

BEGIN
{
	p = (int *)alloca(8);
	q = p - 100000;
	*q = 1;
}

ERROR
{
	printf("%d\n", arg4);
	exit(0);
}

/*
 * copyin() of memory that is not there is fault 1.
 */
#pragma D option quiet

BEGIN
{
	copyin(16, 8);
}

ERROR
{
	printf("%d\n", arg4);
	exit(0);
}

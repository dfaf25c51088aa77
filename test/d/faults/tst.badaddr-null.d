/*
 * Reading through NULL is fault 1 with the address as its value.
 */
#pragma D option quiet

BEGIN
{
	trace(*(int *)NULL);
}

ERROR
{
	printf("%d %x\n", arg4, arg5);
	exit(0);
}

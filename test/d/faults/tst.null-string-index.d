/*
 * A byte of a string that was given NULL cannot be read.
 */
#pragma D option quiet

BEGIN
{
	g = "before";
	g = NULL;
	trace(g[0]);
	printf("not reached\n");
	exit(1);
}

ERROR
{
	printf("fault %d at 0x%x\n", arg4, arg5);
	exit(0);
}

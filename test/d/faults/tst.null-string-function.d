/*
 * A string function that is given a NULL variable faults.
 */
#pragma D option quiet

BEGIN
{
	g = "before";
	g = NULL;
	trace(strlen(g));
	printf("not reached\n");
	exit(1);
}

ERROR
{
	printf("fault %d at 0x%x\n", arg4, arg5);
	exit(0);
}

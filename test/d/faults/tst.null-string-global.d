/*
 * A global string that was given NULL faults when it is shown, whatever it held before.
 */
#pragma D option quiet

BEGIN
{
	g = "before";
	g = NULL;
	trace(g);
	printf("not reached\n");
	exit(1);
}

ERROR
{
	printf("fault %d at 0x%x\n", arg4, arg5);
	exit(0);
}

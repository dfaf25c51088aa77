/*
 * A thread-local string that was given NULL faults when it is shown.
 */
#pragma D option quiet

BEGIN
{
	self->s = "before";
	self->s = NULL;
	trace(self->s);
	printf("not reached\n");
	exit(1);
}

ERROR
{
	printf("fault %d at 0x%x\n", arg4, arg5);
	exit(0);
}

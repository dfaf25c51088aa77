/*
 * A thread-local string that was never set is NULL, and faults when it is shown.
 */
#pragma D option quiet

self string s;

BEGIN
{
	trace(self->s);
	printf("not reached\n");
	exit(1);
}

ERROR
{
	printf("fault %d at 0x%x\n", arg4, arg5);
	exit(0);
}

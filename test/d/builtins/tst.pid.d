/*
 * pid and ppid are those of the command.
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d\n", pid == $pid, ppid == $ppid);
	exit(0);
}

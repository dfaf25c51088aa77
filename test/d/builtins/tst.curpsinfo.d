/*
 * curpsinfo has the numbers of the process.
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d %d\n", curpsinfo->pr_pid == pid, curpsinfo->pr_uid == uid, curpsinfo->pr_nlwp > 0);
	exit(0);
}

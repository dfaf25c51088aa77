/*
 * pr_flag has bits of Solaris; who runs is not stopped and not idle.
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d %d %d %d\n", PR_STOPPED, PR_ISTOP, PR_DSTOP, PR_IDLE, curlwpsinfo->pr_flag);
	exit(0);
}

/*
 * What Linux does not have of a process is what Solaris says where it is not set.
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d %d %d %d %d\n", curpsinfo->pr_wstat, curpsinfo->pr_taskid, curpsinfo->pr_projid, curpsinfo->pr_poolid, curpsinfo->pr_zoneid, curpsinfo->pr_contract);
	exit(0);
}

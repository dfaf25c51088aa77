/*
 * The built-in structure of the process has the members of DTrace's.
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d %d\n", curpsinfo->pr_pid == pid, curpsinfo->pr_ppid == ppid, curpsinfo->pr_fname == execname);
	printf("%d %d\n", curlwpsinfo->pr_lwpid == tid, curcpu->cpu_id == cpu);
	exit(0);
}

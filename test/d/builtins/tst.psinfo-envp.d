/*
 * curpsinfo->pr_envp follows the words and their NULL.
 */
#pragma D option quiet

BEGIN
{
	printf("%d\n", curpsinfo->pr_envp == curpsinfo->pr_argv + 8 * (curpsinfo->pr_argc + 1));
	exit(0);
}

/*
 * curpsinfo->pr_argv is where the addresses of the program's words are, with a NULL behind them.
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d\n", strstr(copyinstr(*(uintptr_t *)copyin(curpsinfo->pr_argv, 8)), "erltrace") != NULL, *(uintptr_t *)copyin(curpsinfo->pr_argv + 8 * curpsinfo->pr_argc, 8));
	exit(0);
}

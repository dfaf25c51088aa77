/*
 * pr_psargs begins with the command.
 */
#pragma D option quiet

BEGIN
{
	printf("%d\n", strstr(curpsinfo->pr_psargs, "erltrace") != NULL);
	exit(0);
}

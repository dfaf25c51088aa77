/*
 * execargs begins with the command.
 */
#pragma D option quiet

BEGIN
{
	printf("%d\n", strstr(execargs, "erltrace") != NULL);
	exit(0);
}

/*
 * arg2 of ERROR is the number of the action that failed.
 */
#pragma D option quiet

BEGIN
{
	*(char *)NULL;
}

ERROR
{
	printf("%d\n", arg2);
	exit(0);
}

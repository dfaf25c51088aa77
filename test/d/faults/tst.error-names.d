/*
 * probename and id inside ERROR are those of ERROR.
 */
#pragma D option quiet

BEGIN
{
	*(char *)NULL;
}

ERROR
{
	printf("%s %d\n", probename, id);
	exit(0);
}

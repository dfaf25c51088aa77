/*
 * arg1 of ERROR is the EPID of the clause that failed.
 */
#pragma D option quiet

BEGIN
{
	e = epid;
	*(char *)NULL;
}

ERROR
{
	printf("%d\n", arg1 == e);
	exit(0);
}

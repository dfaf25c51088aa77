/*
 * An error fires the ERROR probe.
 */
#pragma D option quiet

BEGIN
{
	*(char *)NULL;
}

ERROR
{
	printf("error\n");
	exit(0);
}

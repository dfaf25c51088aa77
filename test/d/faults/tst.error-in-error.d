/*
 * An error inside ERROR fires nothing more.
 */
#pragma D option quiet

BEGIN
{
	*(char *)NULL;
}

ERROR
{
	*(char *)NULL;
	printf("never\n");
}

BEGIN
{
	printf("goes on\n");
	exit(0);
}

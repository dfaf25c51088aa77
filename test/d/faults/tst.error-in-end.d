/*
 * An error in END fires ERROR.
 */
#pragma D option quiet

BEGIN
{
	exit(0);
}

END
{
	*(char *)NULL;
}

ERROR
{
	printf("error in END\n");
}

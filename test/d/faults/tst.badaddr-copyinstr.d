/*
 * copyinstr() of memory that is not there is fault 1.
 */
#pragma D option quiet

BEGIN
{
	s = copyinstr(0);
}

ERROR
{
	printf("%d\n", arg4);
	exit(0);
}

/*
 * arg3 of ERROR is not negative: the place of the error in the code.
 */
#pragma D option quiet

BEGIN
{
	*(char *)NULL;
}

ERROR
{
	printf("%d\n", arg3 >= 0);
	exit(0);
}

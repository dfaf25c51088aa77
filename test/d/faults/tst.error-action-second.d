/*
 * The second action is number 2.
 */
#pragma D option quiet

BEGIN
{
	x = 1;
	*(char *)NULL;
}

ERROR
{
	printf("%d\n", arg2);
	exit(0);
}

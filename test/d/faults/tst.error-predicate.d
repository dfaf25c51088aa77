/*
 * An error in the predicate has action number 0.
 */
#pragma D option quiet

BEGIN
/ *(char *)NULL/
{
	exit(1);
}

ERROR
{
	printf("%d\n", arg2);
	exit(0);
}
